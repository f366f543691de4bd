package dev.cairn.runtime.cli.option;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.trace.TraceRecorder;
import dev.cairn.runtime.report.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where to record what a session asks of its allocator. */
@HelpSection.In(HelpSection.MEMORY)
public final class AllocationTraceOption {
  @FileUse(FileUse.Kind.WRITTEN)
  @Option(names = "--record-allocations", paramLabel = "FILE",
    description = "Record each allocation and free in this file, in RMM's format, for 'cairn mem replay'.")
  private @Nullable Path file;

  /** A recording under way, or none; to be closed after the session. */
  public interface Recording extends AutoCloseable {
    /** The listener of the session's memory. */
    AllocationListener listener();

    /** Ends the recording; the file is whole then. */
    @Override
    void close() throws IOException;
  }

  private record InFile(WholeFile file, TraceRecorder recorder) implements Recording {
    @Override
    public AllocationListener listener() {
      return recorder;
    }

    @Override
    public void close() throws IOException {
      try (file) {
        recorder.close();
        file.commit();
      }
    }
  }

  private enum None implements Recording {
    INSTANCE;

    @Override
    public AllocationListener listener() {
      return AllocationListener.silent();
    }

    @Override
    public void close() {}
  }

  private static Recording begin(WholeFile file) {
    return new InFile(file, new TraceRecorder(file.stream()));
  }

  /** Begins a recording, if one was asked for; an older file is there until it is closed. */
  public Recording begin() throws IOException {
    return file == null ? None.INSTANCE : begin(WholeFile.begin(file));
  }
}
