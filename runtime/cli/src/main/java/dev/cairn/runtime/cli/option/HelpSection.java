package dev.cairn.runtime.cli.option;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The sections of help, in their order. */
public enum HelpSection {
  MODEL("Model and inputs"),
  TRAINING("Training"),
  OUTPUT("Outputs and reports"),
  TIMING("Timing"),
  DEVICE("Device and kernels"),
  STEPS("Steps"),
  MEMORY("Memory"),
  GENERAL("General");

  private final String title;

  HelpSection(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }

  /**
   * Names the section of an option, or, on a class, of its options without a section of their own. Options without
   * either are in {@link #GENERAL}.
   */
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.TYPE, ElementType.FIELD})
  public @interface In {
    HelpSection value();
  }

  /** Marks an option that the short help lists; {@code --all} lists every option. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.FIELD)
  public @interface Common {
  }
}
