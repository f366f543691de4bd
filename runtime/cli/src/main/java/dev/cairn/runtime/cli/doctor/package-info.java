/**
 * Whether this machine has what Cairn needs, and what to do where it has not.
 *
 * <p>Start at {@link dev.cairn.runtime.cli.doctor.Diagnosis}. A {@link dev.cairn.runtime.cli.doctor.Host} is what was
 * seen of the machine, as plain values, gathered by {@link dev.cairn.runtime.cli.doctor.HostProbe}; a
 * {@link dev.cairn.runtime.cli.doctor.Check} looks at these values alone, so that every fault can be shown to it
 * without having it; a {@link dev.cairn.runtime.cli.doctor.Finding} is cause, evidence and remedy. To add a check,
 * write one class and name it in {@code Diagnosis}.
 */
@NullMarked
package dev.cairn.runtime.cli.doctor;

import org.jspecify.annotations.NullMarked;
