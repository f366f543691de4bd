/**
 * Learning rates as functions of the update's number.
 *
 * <p>Start at {@link dev.cairn.runtime.train.schedule.Schedule}. A schedule has no state, so a resumed training has the
 * rates of an unbroken one.
 */
@NullMarked
package dev.cairn.runtime.train.schedule;

import org.jspecify.annotations.NullMarked;
