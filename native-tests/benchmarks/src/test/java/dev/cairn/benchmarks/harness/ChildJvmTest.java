package dev.cairn.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class ChildJvmTest {
  private static final Duration NO_LIMIT = Duration.ofDays(1);

  @TempDir
  private Path folder;

  /** The child. */
  static final class Child {
    private Child() {}

    /**
     * Prints its arguments and its process; fails, stays, or ends while a child of its own stays, on demand. A child
     * that stays calls the port that it is given, once it has printed.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
      System.out.println(String.join(",", arguments) + " " + ProcessHandle.current().pid());
      if (arguments[0].equals("fail")) {
        throw new IllegalArgumentException("on demand");
      }
      if (arguments[0].equals("stay")) {
        if (arguments.length > 1) {
          new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[1])).close();
        }
        new CountDownLatch(1).await();
      }
      if (arguments[0].equals("parent")) {
        try (var calls = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
          Thread.ofPlatform().start(() -> endOnceCalled(calls));
          new ChildJvm(Path.of(arguments[1]), NO_LIMIT).run(Child.class, List.of("stay", Integer.toString(calls
            .getLocalPort())));
        }
      }
    }

    private static void endOnceCalled(ServerSocket calls) {
      try {
        calls.accept().close();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      System.exit(0);
    }
  }

  @Test
  void runsInAProcessOfItsOwn() throws IOException, InterruptedException {
    var children = new ChildJvm(folder, NO_LIMIT);
    List<String> first = children.run(Child.class, List.of("a", "b c"));
    List<String> second = children.run(Child.class, List.of("d"));
    assertEquals(1, first.size());
    assertTrue(first.get(0).startsWith("a,b c "), first.toString());
    assertTrue(second.get(0).startsWith("d "), second.toString());
    assertTrue(!first.get(0).endsWith(" " + ProcessHandle.current().pid()), first.toString());
  }

  @Test
  void aFailureSaysWhatTheChildSaid() {
    var children = new ChildJvm(folder, NO_LIMIT);
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
    new ChildJvm(folder, NO_LIMIT).run(Child.class, List.of("parent", inner.toString()));
    String[] words = Files.readString(inner.resolve("child.out")).strip().split(" ", 2);
    assertThat(words[0]).startsWith("stay,");
    Optional<ProcessHandle> child = ProcessHandle.of(Long.parseLong(words[1]));
    if (child.isPresent()) {
      child.get().onExit().join();
    }
  }
}
