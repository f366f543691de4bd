package dev.cairn.kernels.cpu.recurrent;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link RecurrentTest}. */
@Tag("long")
class LongRecurrentTest extends RecurrentTest implements AllRounds {}
