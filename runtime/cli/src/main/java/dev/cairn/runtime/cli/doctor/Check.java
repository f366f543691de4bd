package dev.cairn.runtime.cli.doctor;

/** Looks at one thing that Cairn needs. A pure function of the facts. */
@FunctionalInterface
interface Check {
  Finding look(Host host);
}
