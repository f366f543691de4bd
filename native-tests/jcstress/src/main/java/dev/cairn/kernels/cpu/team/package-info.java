/** Tests by jcstress of the threads that share a kernel's loop: see {@code native-tests/jcstress/run.sh}. */
@NullMarked
package dev.cairn.kernels.cpu.team;

import org.jspecify.annotations.NullMarked;
