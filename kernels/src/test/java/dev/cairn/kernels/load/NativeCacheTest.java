package dev.cairn.kernels.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.testing.FaultInTurn;
import dev.cairn.testing.FaultyFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeCacheTest {
  private static final String NAME = "libOne.so";

  @TempDir
  private Path work;

  private final byte[] content = new byte[5000];

  NativeCacheTest() {
    new Random(3).nextBytes(content);
  }

  private Path folder() {
    return work.resolve("a/b/natives");
  }

  private Path put() throws CacheUnusable {
    return NativeCache.in(folder()).put(NativeContent.of(NAME, content));
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static Object identity(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  private static CacheFault fault(Callable<?> call) {
    return assertThrows(CacheUnusable.class, call::call).fault();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder())) {
      return all.filter(it -> !Files.isDirectory(it)).toList();
    }
  }

  @Test
  void aFileLiesUnderItsChecksumForItsOwnerAlone() throws IOException {
    Path file = put();
    assertArrayEquals(content, Files.readAllBytes(file));
    assertEquals(NativeContent.of(NAME, content).checksum().substring(0, 32),
      String.valueOf(file.getName(file.getNameCount() - 2)));
    assertEquals("r-x------", permissions(file));
    assertEquals("rwx------", permissions(file.resolveSibling(".")));
    assertEquals("rwx------", permissions(folder()));
    assertEquals("rwx------", permissions(work.resolve("a")));
    assertEquals(List.of(file), files());
  }

  @Test
  void aFileThatIsThereIsUsedAsItIs() throws IOException {
    Object first = identity(put());
    assertEquals(first, identity(put()));
  }

  @Test
  void otherContentDoesNotTakeItsPlace() throws IOException {
    Path file = put();
    Path other = NativeCache.in(folder()).put(NativeContent.of(NAME, new byte[] {1}));
    assertNotEquals(file, other);
    assertArrayEquals(content, Files.readAllBytes(file));
  }

  @Test
  void whateverElseLiesUnderTheNameIsReplaced() throws IOException {
    Path file = put();
    byte[] flipped = content.clone();
    flipped[4711] ^= 1;
    for (byte[] wrong : List.of(flipped, new byte[0], new byte[4999], new byte[5001])) {
      Files.delete(file);
      Files.write(file, wrong);
      assertArrayEquals(content, Files.readAllBytes(put()));
      assertEquals(List.of(file), files());
    }
  }

  @Test
  void aLinkUnderTheNameIsReplacedAndItsTargetLeftAlone() throws IOException {
    Path file = put();
    Path target = Files.write(work.resolve("target"), content);
    Files.delete(file);
    Files.createSymbolicLink(file, target);
    assertEquals(false, Files.isSymbolicLink(put()));
    Files.delete(file);
    Files.createSymbolicLink(file, work.resolve("nowhere"));
    assertArrayEquals(content, Files.readAllBytes(put()));
    assertEquals(false, Files.exists(work.resolve("nowhere")));
    assertArrayEquals(content, Files.readAllBytes(target));
  }

  @Test
  void aFolderUnderTheNameIsAFaultAndLeavesNoPartBehind() throws IOException {
    Path file = put();
    Files.delete(file);
    Files.createDirectories(file.resolve("inner"));
    assertEquals(CacheFault.NOT_WRITABLE, fault(this::put));
    assertEquals(List.of(), files());
  }

  @Test
  void whatAKilledProcessLeftBehindIsSweptUp() throws IOException {
    Path file = put();
    Path old = Files.write(file.resolveSibling("native1.part"), new byte[9]);
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
    Path young = Files.write(file.resolveSibling("native2.part"), new byte[9]);
    Files.delete(file);
    put();
    assertEquals(Set.of(file, young), Set.copyOf(files()));
  }

  @Test
  void aFolderOpenToOthersIsClosed() throws IOException {
    Files.createDirectories(folder());
    Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxrwxrwx"));
    put();
    assertEquals("rwx------", permissions(folder()));
  }

  @Test
  void aFolderBelowOneThatAllMayWriteToIsRefusedUnlessThatIsSticky() throws IOException {
    Files.createDirectories(folder());
    Files.setPosixFilePermissions(work.resolve("a"), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertEquals(CacheFault.OPEN_TO_OTHERS, fault(this::put));
    Files.setAttribute(work.resolve("a"), "unix:mode", 01777);
    put();
  }

  /** Members of the group could rename the folders below, and put their own files there. */
  @Test
  void aFolderBelowOneThatAnotherGroupMayWriteToIsRefusedUnlessThatIsSticky() throws IOException {
    assumeTrue(PrivateFolder.self() == 0, "skipped: only the superuser can give a folder to another group");
    Files.createDirectories(folder());
    Files.setPosixFilePermissions(work.resolve("a"), PosixFilePermissions.fromString("rwxrwxr-x"));
    put();
    Files.setAttribute(work.resolve("a"), "unix:gid", 4711);
    assertEquals(CacheFault.OPEN_TO_OTHERS, fault(this::put));
    Files.setAttribute(work.resolve("a"), "unix:mode", 01775);
    put();
  }

  /** Whichever call fails, the next attempt has the right content, and none is left open. */
  @Test
  void eachCallOfAFileFailsOnce() throws IOException {
    Files.createDirectories(folder());
    int faults = FaultInTurn.sweep(fault -> {
      FaultyFiles files = FaultyFiles.of(fault);
      fault.survived(() -> {
        try {
          assertArrayEquals(content, Files.readAllBytes(real(NativeCache.in(files.path(folder())).put(NativeContent.of(
            NAME, content)))));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        } finally {
          assertEquals(0, files.openChannels());
        }
      });
      delete();
    });
    assertTrue(faults > 10, "faults: " + faults);
  }

  private static Path real(Path file) {
    return Path.of(file.toString());
  }

  private void delete() {
    try {
      assertEquals(1, files().size());
      for (Path file : files()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** After a power cut, a file that has its name has its content. */
  @Test
  void aFileIsOnTheDiskBeforeItHasItsName() throws IOException {
    var calls = new ArrayList<String>();
    FaultyFiles files = FaultyFiles.watched(calls::add);
    Path file = NativeCache.in(files.path(folder())).put(NativeContent.of(NAME, content));
    assertArrayEquals(content, Files.readAllBytes(real(file)));
    assertEquals(List.of("force", "move", "force"), calls.stream().filter(it -> List.of("force", "move").contains(it))
      .toList());
  }

  @Test
  void linksFilesAndPlacesWithoutPermissionAreRefused() throws IOException {
    Files.createDirectories(work.resolve("elsewhere"));
    Files.createSymbolicLink(work.resolve("link"), work.resolve("elsewhere"));
    assertEquals(CacheFault.SYMBOLIC_LINK, fault(() -> NativeCache.in(work.resolve("link"))));
    Files.writeString(work.resolve("file"), "");
    assertEquals(CacheFault.NOT_A_FOLDER, fault(() -> NativeCache.in(work.resolve("file"))));
    assertEquals(CacheFault.NOT_WRITABLE, fault(() -> NativeCache.in(work.resolve("file/below"))));
    assertEquals(CacheFault.NOT_WRITABLE, fault(() -> NativeCache.in(Path.of("/proc/self/natives"))));
  }

  @Test
  void aLinkFurtherUpIsFollowed() throws IOException {
    Files.createDirectories(work.resolve("disk"));
    Files.createSymbolicLink(work.resolve("a"), work.resolve("disk"));
    assertArrayEquals(content, Files.readAllBytes(put()));
  }

  @Test
  void aFolderOfSomebodyElseIsRefused() throws IOException {
    assumeTrue(PrivateFolder.self() == 0, "skipped: only the superuser can give a folder away");
    Files.createDirectories(folder());
    Files.setAttribute(folder(), "unix:uid", 4711);
    assertEquals(CacheFault.FOREIGN_OWNER, fault(this::put));
  }

  @Test
  void threadsThatPutAtOnceAgree() throws Exception {
    List<Callable<Path>> calls = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      calls.add(this::put);
    }
    try (var threads = Executors.newFixedThreadPool(8)) {
      for (var put : threads.invokeAll(calls)) {
        assertArrayEquals(content, Files.readAllBytes(put.get()));
      }
    }
    assertEquals(1, files().size());
  }

  @Test
  void contentWithAnotherChecksumIsRefusedAndLeavesNothing() throws IOException {
    var wrong = new NativeContent(NAME, content.length, "0".repeat(64), () -> new ByteArrayInputStream(content));
    assertEquals(CacheFault.NOT_WRITABLE, fault(() -> NativeCache.in(folder()).put(wrong)));
    assertEquals(List.of(), files());
  }

  @Test
  void aLargeFileThatIsThereIsNotReadAgain() throws IOException {
    var large = NativeContent.of(NAME, new byte[(int) NativeCache.MOST_CHECKED_BYTES + 1]);
    Path file = NativeCache.in(folder()).put(large);
    var unreadable = new NativeContent(NAME, large.bytes(), large.checksum(), () -> {
      throw new IOException("read again");
    });
    assertEquals(file, NativeCache.in(folder()).put(unreadable));
  }
}
