/** Tests by jcstress of what threads share of arrays: see {@code native-tests/jcstress/run.sh}. */
@NullMarked
package dev.cairn.runtime.ndarray;

import org.jspecify.annotations.NullMarked;
