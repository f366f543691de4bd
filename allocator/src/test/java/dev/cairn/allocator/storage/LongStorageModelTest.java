package dev.cairn.allocator.storage;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link StorageModelTest}. */
@Tag("long")
class LongStorageModelTest extends StorageModelTest implements AllRounds {}
