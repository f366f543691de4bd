/**
 * The common interface of devices: a name, and streams that run work in order.
 *
 * <p>Start at {@link dev.cairn.kernels.device.Device}. A <em>stream</em> runs work in the order of submission; work on
 * two streams of a device may overlap. A <em>mark</em> is a numbered place in that order, and another stream can wait
 * for it. A {@link dev.cairn.kernels.device.ThreadTeam} is a library's threads, which other kernels share. {@link
 * dev.cairn.kernels.device.ProcessorWaits} knows whether threads lack processors. A {@link
 * dev.cairn.kernels.device.HandedWork} is work that one thread hands to another one. A {@link
 * dev.cairn.kernels.device.ProgramLocal} is what a program has open on a thread, which other work on the thread does
 * not see; {@link dev.cairn.kernels.device.ForeignWork} keeps other work from a thread, and {@link
 * dev.cairn.kernels.device.Closing} ends several things whatever one of them throws. This package does not know
 * which devices exist.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.device;

import org.jspecify.annotations.NullMarked;
