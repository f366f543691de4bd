/**
 * Checks whether this machine has everything that Cairn needs, and says how to fix problems.
 *
 * <p>Start at {@link dev.cairn.runtime.cli.doctor.Diagnosis}. {@link dev.cairn.runtime.cli.doctor.HostProbe} collects
 * the facts about the machine as plain values in a {@link dev.cairn.runtime.cli.doctor.Host}. A {@link
 * dev.cairn.runtime.cli.doctor.Check} reads only these values, so that tests can simulate every fault. A {@link
 * dev.cairn.runtime.cli.doctor.Finding} is cause, evidence and remedy. To add a check, write one class and name it in
 * {@code Diagnosis}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.cli.doctor;

import org.jspecify.annotations.NullMarked;
