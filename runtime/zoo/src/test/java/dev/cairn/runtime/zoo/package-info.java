/** Tests of the reference models: size, shape, validity and repeatability. What they compute is compared elsewhere. */
@NullMarked
package dev.cairn.runtime.zoo;

import org.jspecify.annotations.NullMarked;
