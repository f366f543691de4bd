package dev.cairn.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildJvmTest {
  @TempDir
  private Path folder;

  /** The child. */
  static final class Child {
    private Child() {}

    /** Prints its arguments and its process; fails, stays, or ends while a child of its own stays, on demand. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
      System.out.println(String.join(",", arguments) + " " + ProcessHandle.current().pid());
      if (arguments[0].equals("fail")) {
        throw new IllegalArgumentException("on demand");
      }
      if (arguments[0].equals("stay")) {
        Thread.sleep(Duration.ofMinutes(10));
      }
      if (arguments[0].equals("parent")) {
        Path folder = Path.of(arguments[1]);
        Thread.ofPlatform().start(() -> endOnceStarted(folder.resolve("child.out")));
        new ChildJvm(folder, Duration.ofMinutes(10)).run(Child.class, List.of("stay"));
      }
    }

    private static void endOnceStarted(Path output) {
      try {
        while (!Files.exists(output) || !Files.readString(output).endsWith("\n")) {
          Thread.sleep(Duration.ofMillis(20));
        }
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
      System.exit(0);
    }
  }

  @Test
  void runsInAProcessOfItsOwn() throws IOException, InterruptedException {
    var children = new ChildJvm(folder, Duration.ofMinutes(2));
    List<String> first = children.run(Child.class, List.of("a", "b c"));
    List<String> second = children.run(Child.class, List.of("d"));
    assertEquals(1, first.size());
    assertTrue(first.get(0).startsWith("a,b c "), first.toString());
    assertTrue(second.get(0).startsWith("d "), second.toString());
    assertTrue(!first.get(0).endsWith(" " + ProcessHandle.current().pid()), first.toString());
  }

  @Test
  void aFailureSaysWhatTheChildSaid() {
    var children = new ChildJvm(folder, Duration.ofMinutes(2));
    var failure = assertThrows(IllegalStateException.class, () -> children.run(Child.class, List.of("fail")));
    assertThat(failure).hasMessageContaining("exit=1").hasMessageContaining("on demand");
  }

  @Test
  void aChildThatStaysIsEnded() {
    var children = new ChildJvm(folder, Duration.ofSeconds(1));
    var failure = assertThrows(IllegalStateException.class, () -> children.run(Child.class, List.of("stay")));
    assertThat(failure).hasMessageContaining("limit=PT1S");
    assertTrue(ProcessHandle.current().children().noneMatch(ProcessHandle::isAlive), "no child is left");
  }

  @Test
  void noChildOutlivesItsParent() throws Exception {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    new ChildJvm(folder, Duration.ofMinutes(2)).run(Child.class, List.of("parent", inner.toString()));
    String[] words = Files.readString(inner.resolve("child.out")).strip().split(" ", 2);
    assertEquals("stay", words[0]);
    Optional<ProcessHandle> child = ProcessHandle.of(Long.parseLong(words[1]));
    if (child.isPresent()) {
      child.get().onExit().get(30, TimeUnit.SECONDS);
    }
  }
}
