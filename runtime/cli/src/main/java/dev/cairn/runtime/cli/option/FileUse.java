package dev.cairn.runtime.cli.option;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks an option or a parameter that names files, and says what the command does with them. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface FileUse {
  Kind value();

  /** An option whose file this output may replace, because the new file continues the old one; empty for none. */
  String mayReplace() default "";

  /** What a command does with a file. */
  enum Kind {
    /** The command reads the files; no output of the command may replace them. */
    READ,
    /** The command writes the files. */
    WRITTEN,
    /** A folder in which Cairn keeps files under names of its own. */
    CACHE
  }
}
