/**
 * What all devices share: a name, and streams that run work in order.
 *
 * <p>Start at {@link dev.cairn.kernels.device.Device}. A <em>stream</em> runs what it is given in order; work on two
 * streams of a device may overlap. Nothing here knows which devices exist.
 */
@NullMarked
package dev.cairn.kernels.device;

import org.jspecify.annotations.NullMarked;
