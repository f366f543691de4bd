package dev.cairn.kernels.onednn;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link OneDnnIntegerTest}. */
@Tag("long")
class LongOneDnnIntegerTest extends OneDnnIntegerTest implements AllRounds {}
