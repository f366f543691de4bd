package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.planner.BestFitPlanner;
import dev.cairn.runtime.memory.planner.NaivePlanner;
import dev.cairn.runtime.memory.planner.inductor.ReusePlanner;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Plans to be shown, and the pictures read again. */
final class Views {
  private Views() {}

  /** a and b live together, c takes a's bytes when it has died; d has no bytes. */
  static PlanView small() {
    MemoryProblem problem = MemoryProblem.of(buffer("a", 1000, 0, 2), buffer("b", 500, 1, 4), buffer("c", 1000, 2, 4)
      .asOutput(), buffer("d", 0, 1, 2));
    MemoryPlan plan = MemoryPlan.inOneArena("by-hand", problem, new long[] {0, 1000, 0, 0});
    return new PlanView("small", "step", problem, plan, List.of(new BufferLabel("conv1", "Conv", "conv1 float32[250]",
      false), new BufferLabel("relu1", "Relu", "relu1 float32[125]", false),
      new BufferLabel("conv1", "Conv",
        "scratch memory of the kernel", true),
      BufferLabel.named("d")));
  }

  static PlanView random(long seed, int buffers) {
    var random = new Random(seed);
    List<Buffer> all = new ArrayList<>();
    int steps = Math.max(2, buffers);
    for (int i = 0; i < buffers; i++) {
      int first = random.nextInt(steps - 1);
      int end = Math.min(steps, first + 1 + random.nextInt(random.nextInt(4) == 0 ? steps : 5));
      long bytes = random.nextInt(10) == 0 ? 0 : 1 + random.nextLong(1L << random.nextInt(4, 24));
      all.add(buffer("b" + i, bytes, first, end).withAlignment(1L << random.nextInt(8)));
    }
    var problem = new MemoryProblem(all);
    MemoryPlan plan = switch (random.nextInt(3)) {
      case 0 -> ReusePlanner.PLAIN.plan(problem);
      case 1 -> NaivePlanner.POOLS.plan(problem);
      default -> BestFitPlanner.BY_SIZE.plan(problem);
    };
    return PlanView.of("random " + seed, problem, plan);
  }

  static Buffer buffer(String name, long bytes, int first, int end) {
    return Buffer.of(name, bytes, new Lifetime(first, end));
  }

  /** The picture as a viewer reads it; fails when it is no XML. */
  static Document parsed(String svg) throws Exception {
    var factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  /** The rectangles of the plot, in the file's order. */
  static List<Element> rectangles(Document svg) {
    List<Element> all = new ArrayList<>();
    var nodes = svg.getElementsByTagName("rect");
    for (int i = 0; i < nodes.getLength(); i++) {
      var element = (Element) nodes.item(i);
      if (((Element) element.getParentNode()).getAttribute("class").equals("plot")) {
        all.add(element);
      }
    }
    return all;
  }

  static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }
}
