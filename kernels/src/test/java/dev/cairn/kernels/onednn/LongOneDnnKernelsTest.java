package dev.cairn.kernels.onednn;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link OneDnnKernelsTest}. */
@Tag("long")
class LongOneDnnKernelsTest extends OneDnnKernelsTest implements AllRounds {}
