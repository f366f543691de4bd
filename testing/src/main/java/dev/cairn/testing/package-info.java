/**
 * What the tests of all modules share, so that none of them decides by the clock or by luck.
 *
 * <p>{@link dev.cairn.testing.Gate} holds a thread at a place until the test lets it go: it forces an interleaving.
 * {@link dev.cairn.testing.ManualClock} is a clock that the test moves. {@link dev.cairn.testing.Reclaimed} waits until
 * the garbage collector has taken an object. {@link dev.cairn.testing.GarbageMeter} counts the bytes that work puts on
 * the heap. {@link dev.cairn.testing.Rounds} says how many of many similar cases a build tries, and {@link
 * dev.cairn.testing.AllRounds} that a subclass tries all. {@link dev.cairn.testing.FaultInTurn} fails each call of the
 * outside world in turn, {@link dev.cairn.testing.FaultyFiles} is a file system for it, and {@link
 * dev.cairn.testing.OwnThreads} waits for threads that have to end. {@link dev.cairn.testing.Repeat} repeats classes of
 * tests. Nothing here waits with a limit: {@code junit-platform.properties} of this module ends a test that hangs.
 */
@NullMarked
package dev.cairn.testing;

import org.jspecify.annotations.NullMarked;
