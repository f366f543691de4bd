package dev.cairn.runtime.cli;

/** How a command ended, for the program that started it. Scripts rely on the numbers. */
enum ExitCode {
  OK(0),
  OTHER(1),
  USAGE(2),
  INVALID_MODEL(3),
  UNSUPPORTED(4),
  OUT_OF_MEMORY(5),
  COMPARISON_FAILED(6),
  MACHINE_LACKS(7);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
