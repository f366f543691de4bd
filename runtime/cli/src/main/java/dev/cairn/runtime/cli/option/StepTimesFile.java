package dev.cairn.runtime.cli.option;

import dev.cairn.runtime.report.profile.ProfileTimes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The cost of steps, by which recomputation chooses steps to run again: {@code work}, or {@code measured:FILE.json}.
 *
 * @param nanos the time of each step, by its name; empty if the planner counts the steps' work instead
 * @param files the profile, where the times come from one
 */
public record StepTimesFile(Map<String, Long> nanos, List<Path> files) implements FileArgument {
  static final StepTimesFile WORK = new StepTimesFile(Map.of(), List.of());
  private static final String MEASURED = "measured:";

  public StepTimesFile {
    nanos = Map.copyOf(nanos);
    files = List.copyOf(files);
  }

  /** From the command line. */
  static final class Converter implements ITypeConverter<StepTimesFile> {
    @Override
    public StepTimesFile convert(String text) {
      if (text.equals("work")) {
        return WORK;
      }
      if (!text.startsWith(MEASURED)) {
        throw new TypeConversionException("unknown costs: given=%s known=[work, measured:FILE.json]".formatted(text));
      }
      Path file = Path.of(text.substring(MEASURED.length()));
      try (InputStream in = Files.newInputStream(file)) {
        return new StepTimesFile(ProfileTimes.read(in), List.of(file));
      } catch (NoSuchFileException e) {
        throw noProfile(file, "no such file");
      } catch (IOException | IllegalArgumentException e) {
        throw noProfile(file, e.getMessage());
      }
    }

    private static TypeConversionException noProfile(Path file, @Nullable String reason) {
      return new TypeConversionException("no profile of 'cairn run --export-profile': file=%s reason=%s".formatted(file,
        reason));
    }
  }
}
