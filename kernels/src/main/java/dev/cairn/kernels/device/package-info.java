/**
 * What all devices share: a name, and streams that run work in order.
 *
 * <p>Start at {@link dev.cairn.kernels.device.Device}. A <em>stream</em> runs what it is given in order; work on two
 * streams of a device may overlap. A <em>mark</em> is a place in a stream's order, by number, which another stream can
 * wait for. Nothing here knows which devices exist.
 */
@NullMarked
package dev.cairn.kernels.device;

import org.jspecify.annotations.NullMarked;
