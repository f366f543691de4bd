package dev.cairn.benchmarks.harness;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** The words after a benchmark's name, one after the other: options, some of which have a value. */
public final class Arguments {
  private final Iterator<String> rest;
  private String option = "";

  public Arguments(List<String> given) {
    this.rest = List.copyOf(given).iterator();
  }

  public boolean hasNext() {
    return rest.hasNext();
  }

  /** The next option; its value, if it has one, is read then. */
  public String next() {
    option = rest.next();
    return option;
  }

  /** @throws IllegalArgumentException when there is none */
  public String value() {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException("a value is missing: option=" + option);
    }
    return rest.next();
  }

  /** A value that is words between commas. */
  public List<String> list() {
    return Arrays.asList(value().split(","));
  }

  /** A value that is a whole number. */
  public int number() {
    return number(value());
  }

  /** A value that is whole numbers between commas. */
  public List<Integer> numbers() {
    return list().stream().map(this::number).toList();
  }

  private int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a whole number: option=%s value=%s".formatted(option, text), e);
    }
  }
}
