/**
 * Tests by jcstress of the objects that threads of an engine share: each class has a few calls that run at the same
 * time, over and over, and the results that are allowed. In the packages of the engine, to reach their parts.
 *
 * <p>{@code native-tests/jcstress/run.sh} builds and runs them; they take minutes and are no part of the build's tests.
 * {@code Runs} does what an engine does with a block: it runs what is ready on the thread that made it so.
 */
@NullMarked
package dev.cairn.runtime.engine.worker;

import org.jspecify.annotations.NullMarked;
