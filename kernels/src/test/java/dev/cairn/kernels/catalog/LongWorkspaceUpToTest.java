package dev.cairn.kernels.catalog;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link WorkspaceUpToTest}. */
@Tag("long")
class LongWorkspaceUpToTest extends WorkspaceUpToTest implements AllRounds {}
