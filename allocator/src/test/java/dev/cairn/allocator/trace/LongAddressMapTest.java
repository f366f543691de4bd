package dev.cairn.allocator.trace;

import dev.cairn.testing.AllRounds;
import org.junit.jupiter.api.Tag;

/** All rounds of {@link AddressMapTest}. */
@Tag("long")
class LongAddressMapTest extends AddressMapTest implements AllRounds {}
