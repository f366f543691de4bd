package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tutorial's programs run as it says: Java reads them as they stand. */
class TutorialTest {
  private static final Path PAGE = ProductSources.ROOT.resolve("docs/tutorial.md");
  private static final Pattern PROGRAM = Pattern.compile("(?s)```java\n(.*?public class (\\w+).*?)```");
  private static final int REQUESTS = 200;

  @TempDir
  private Path folder;

  @BeforeEach
  void writeModel() {
    Outcome.ok("zoo", "mlp", "-o", folder.resolve("mlp.onnx"));
  }

  private static String program(String name) throws IOException {
    return PROGRAM.matcher(Files.readString(PAGE)).results().filter(it -> it.group(2).equals(name)).map(
      (MatchResult it) -> it.group(1)).findFirst().orElseThrow();
  }

  /** Begins the program with the options of the page and this test's class path. */
  private Process start(String name, String source) throws IOException {
    Files.writeString(folder.resolve(name + ".java"), source);
    List<String> words = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
    words.addAll(options(name));
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), name + ".java"));
    return new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true).start();
  }

  /** The options in the page's command that starts a program. */
  private static List<String> options(String name) throws IOException {
    var command = Pattern.compile("(?m)^java (.*) -cp \"runtime/cli/target/cairn/lib/\\*\" " + name + ".java$")
      .matcher(Files.readString(PAGE));
    assertThat(command.find()).as(name).isTrue();
    return List.of(command.group(1).split(" "));
  }

  @Test
  void theFirstProgramPrintsTheTypeOfItsOutputAndANumber() throws Exception {
    Process process = start("Digits", program("Digits"));
    List<String> lines;
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      lines = said.readAllLines();
    }
    assertThat(process.waitFor()).as(lines.toString()).isZero();
    assertThat(lines.subList(lines.size() - 2, lines.size())).first().isEqualTo("{logits=float32[1x10]}");
    assertThat(Float.parseFloat(lines.getLast())).isFinite();
  }

  /** The service as it stands, but at a port that is free, which it tells when it answers. */
  @Test
  void theServiceAnswersUnderLoadAndStaysBelowItsLimit() throws Exception {
    String told = "server.start();\n    System.out.println(\"port \" + server.getAddress().getPort());";
    Process service = start("Service", program("Service").replace("8080", "0").replace("server.start();", told));
    try (BufferedReader said = service.inputReader(StandardCharsets.UTF_8);
      HttpClient client = HttpClient.newHttpClient();
      ExecutorService clients = Executors.newFixedThreadPool(8)) {
      int port = port(said);
      String first = answer(client, port, "/");
      assertThat(first.split(",")).hasSize(10);
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < REQUESTS; i++) {
        answers.add(clients.submit(() -> answer(client, port, "/")));
      }
      for (Future<String> answer : answers) {
        assertThat(answer.get()).isEqualTo(first);
      }
      assertThat(answer(client, port, "/memory")).contains("limit 64.0 MiB", "peak ");
    } finally {
      service.destroy();
    }
  }

  private static String answer(HttpClient client, int port, String path) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).POST(
      HttpRequest.BodyPublishers.ofByteArray(new byte[784])).build();
    var response = client.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body();
  }

  /** Reads until the port is told. */
  private static int port(BufferedReader said) throws IOException {
    var before = new StringBuilder();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith("port ")) {
        return Integer.parseInt(line.substring("port ".length()));
      }
      before.append(line).append('\n');
    }
    throw new AssertionError("the service ended: " + before);
  }
}
