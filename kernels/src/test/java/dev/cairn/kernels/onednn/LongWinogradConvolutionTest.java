package dev.cairn.kernels.onednn;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link WinogradConvolutionTest}. */
@Tag("long")
class LongWinogradConvolutionTest extends WinogradConvolutionTest implements AllRounds {}
