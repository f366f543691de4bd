package dev.cairn.kernels.cuda.compile;

import dev.cairn.kernels.load.PrivateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache of compiled code on disk. Its key is the hash of all that the code depends on. Each file begins with the hash
 * of the rest. A file appears only when it is complete; a damaged one is replaced. Since the code is executed, only the
 * user may have access to the folder. If the folder is not usable, everything is compiled. Safe for use by many threads
 * and processes.
 */
public final class CompiledKernelCache {
  private static final Logger LOG = LoggerFactory.getLogger(CompiledKernelCache.class);
  private static final int HASH_BYTES = 32;

  private final Path folder;
  private final boolean enabled;
  private final AtomicBoolean complained = new AtomicBoolean();

  private CompiledKernelCache(Path folder, boolean enabled) {
    this.folder = folder;
    this.enabled = enabled;
  }

  /** A cache in this folder, which is created by the first write. */
  public static CompiledKernelCache in(Path folder) {
    return new CompiledKernelCache(folder, true);
  }

  /** No cache: everything is compiled. */
  public static CompiledKernelCache none() {
    return new CompiledKernelCache(Path.of(""), false);
  }

  /** The code for a key. If the cache does not have it, calls {@code compile} and stores the result. */
  byte[] get(String key, Supplier<byte[]> compile) {
    if (!enabled) {
      return compile.get();
    }
    Path file = folder.resolve(key + ".bin");
    byte[] held = read(file);
    if (held.length > 0) {
      return held;
    }
    byte[] made = compile.get();
    write(file, made);
    return made;
  }

  /** The code in a file; empty if the file is missing or damaged. */
  private byte[] read(Path file) {
    try {
      PrivateFolder.require(folder);
      byte[] all = Files.readAllBytes(file);
      if (all.length > HASH_BYTES) {
        byte[] code = Arrays.copyOfRange(all, HASH_BYTES, all.length);
        if (MessageDigest.isEqual(Arrays.copyOf(all, HASH_BYTES), sha256().digest(code))) {
          return code;
        }
      }
      LOG.info("cached kernel is damaged and compiled anew: file={} bytes={}", file, all.length);
    } catch (IOException e) {
      LOG.trace("no cached kernel: file={}", file, e);
    }
    return new byte[0];
  }

  private void write(Path file, byte[] code) {
    try {
      if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
        PrivateFolder.make(folder.toAbsolutePath());
      }
      PrivateFolder.require(folder);
      Path part = Files.createTempFile(folder, "kernel", ".part");
      try {
        byte[] all = Arrays.copyOf(sha256().digest(code), HASH_BYTES + code.length);
        System.arraycopy(code, 0, all, HASH_BYTES, code.length);
        Files.write(part, all);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException | RuntimeException e) {
      if (complained.compareAndSet(false, true)) {
        LOG.warn("compiled kernels can't be kept: folder={} cause={}", folder, e.toString());
      }
    }
  }

  /** The hash of all parts and their lengths. */
  static String key(Iterable<String> parts) {
    MessageDigest digest = sha256();
    for (String part : parts) {
      byte[] bytes = part.getBytes(java.nio.charset.StandardCharsets.UTF_8);
      digest.update((bytes.length + ":").getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
