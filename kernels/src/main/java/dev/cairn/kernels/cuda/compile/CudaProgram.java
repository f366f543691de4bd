package dev.cairn.kernels.cuda.compile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A source in CUDA C.
 *
 * @param name the name in messages: {@code reduction.cu}
 * @param text the source
 * @param headers the headers that it may include, by name
 */
public record CudaProgram(String name, String text, SortedMap<String, String> headers) {
  private static final String FOLDER = "/dev/cairn/kernels/cuda/source/";

  /** Copies the headers. */
  public CudaProgram {
    headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
  }

  /** A source without headers. */
  public static CudaProgram of(String name, String text) {
    return new CudaProgram(name, text, new TreeMap<>());
  }

  /** One of this library's sources, such as {@code reduction.cu}. */
  public static CudaProgram resource(String name) {
    return of(name, read(name));
  }

  /** The same source with additional headers, by name. */
  public CudaProgram withHeaders(Map<String, String> more) {
    SortedMap<String, String> all = new TreeMap<>(headers);
    all.putAll(more);
    return new CudaProgram(name, text, all);
  }

  private static String read(String name) {
    try (InputStream in = CudaProgram.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalArgumentException("no such source in this library: name=" + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("source can't be read: name=" + name, e);
    }
  }
}
