/** Tests by jcstress of what threads share of a session: see {@code native-tests/jcstress/run.sh}. */
@NullMarked
package dev.cairn.runtime.session;

import org.jspecify.annotations.NullMarked;
