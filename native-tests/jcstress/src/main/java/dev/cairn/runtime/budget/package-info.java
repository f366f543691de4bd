/** Tests by jcstress of the queue in which runs wait for memory: see {@code native-tests/jcstress/run.sh}. */
@NullMarked
package dev.cairn.runtime.budget;

import org.jspecify.annotations.NullMarked;
