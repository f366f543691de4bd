package dev.cairn.kernels.onednn;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link OneDnnEpilogueTest}. */
@Tag("long")
class LongOneDnnEpilogueTest extends OneDnnEpilogueTest implements AllRounds {}
