package dev.cairn.conformance;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.invoke.DispatchTable;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The packages of each module, lowest first, and which others of its module each may use; and rules of the house. It
 * stands here because all modules but the adapters, which have one package each, are on the class path of these tests.
 */
class ArchitectureTest {
  /** A row is a package below {@code root}, or the root's own name, and the packages above it that it may use. */
  private record Table(String root, Map<String, List<String>> rows) {
    /** A name that ends with two dots stands for all packages that begin like that, a star for all above. */
    static Table of(String root, String text) {
      Map<String, List<String>> rows = new LinkedHashMap<>();
      for (String line : text.lines().toList()) {
        String name = line.substring(0, line.indexOf(':'));
        List<String> used = new ArrayList<>();
        for (String word : line.substring(name.length() + 1).strip().split(" +")) {
          List<String> meant = rows.keySet().stream().filter(above -> word.equals("*") || above.equals(word)
            || (word.endsWith("..") && (above + ".").startsWith(word.substring(0, word.length() - 1)))).toList();
          assertThat(word.isEmpty() || !meant.isEmpty()).as("%s: %s is above %s", root, word, name).isTrue();
          used.addAll(meant);
        }
        rows.put(name, used);
      }
      return new Table(root, rows);
    }

    String packages(String name) {
      return root.endsWith("." + name) ? root : root + "." + name;
    }

    void check() {
      LayeredArchitecture layers = layeredArchitecture().consideringOnlyDependenciesInLayers();
      for (String name : rows.keySet()) {
        layers = layers.layer(name).definedBy(packages(name));
      }
      for (var row : rows.entrySet()) {
        var layer = layers.whereLayer(row.getKey());
        layers = row.getValue().isEmpty()
          ? layer.mayNotAccessAnyLayer()
          : layer.mayOnlyAccessLayers(row.getValue().toArray(String[]::new));
      }
      layers.check(CLASSES);
    }
  }

  private static final JavaClasses CLASSES = read();

  private static final int LARGEST_CIRCLE = 8;

  /** Classes that read attributes by name as files have them; none may be added. */
  private static final String[] READERS_OF_FILES = {"dev.cairn.runtime.onnx.decode.ConstantDecoder",
    "dev.cairn.runtime.onnx.decode.ControlAssembler", "dev.cairn.runtime.onnx.encode.TrainingForms"};

  private static final Table TESTING = Table.of("dev.cairn.testing", "testing:");

  private static final Table ALLOCATOR = Table.of("dev.cairn.allocator", """
    allocator:
    source..: allocator
    report..: allocator
    bfc..: allocator source..
    layer..: allocator
    trace..: allocator
    flight..: allocator
    replay..: allocator source.. bfc.. trace..""");

  private static final Table KERNELS = Table.of("dev.cairn.kernels", """
    tensor:
    attribute: tensor
    device:
    catalog: tensor attribute device
    cpu.team: device catalog
    cpu.access: tensor attribute device catalog cpu.team
    cpu.vector: tensor attribute device catalog cpu.team cpu.access
    cpu.movement: tensor attribute device catalog cpu.team cpu.access cpu.vector
    cpu.elementwise: tensor attribute device catalog cpu.team cpu.access cpu.vector cpu.movement
    cpu.reduction: tensor attribute device catalog cpu.team cpu.access cpu.vector
    cpu.selection: tensor attribute device catalog cpu.team cpu.access cpu.vector cpu.movement cpu.reduction
    cpu.generation: tensor attribute device catalog cpu.team cpu.access cpu.vector
    cpu.random: tensor attribute device catalog cpu.team cpu.access cpu.vector cpu.movement cpu.selection
    cpu.product: tensor attribute device catalog cpu.team cpu.access cpu.vector
    cpu.convolution: tensor attribute device catalog cpu.team cpu.access cpu.vector cpu.product
    cpu.pool: tensor attribute device catalog cpu.team cpu.access cpu.vector cpu.selection cpu.convolution
    cpu.normalization: tensor attribute device catalog cpu.team cpu.access cpu.vector
    cpu.recurrent: tensor attribute device catalog cpu.team cpu.access cpu.vector cpu.elementwise cpu.product
    cpu.attention: tensor attribute device catalog cpu.team cpu.access cpu.vector cpu.reduction cpu.product
    cpu.quantized: tensor attribute device catalog cpu.team cpu.access cpu.vector cpu.product cpu.convolution cpu.pool
    cpu.image: tensor attribute device catalog cpu.team cpu.access cpu.vector
    cpu.loss: tensor attribute device catalog cpu.team cpu.access cpu.vector cpu.reduction
    cpu.signal: tensor attribute device catalog cpu.team cpu.access cpu.vector
    cpu.ensemble: tensor attribute device catalog cpu.team cpu.access cpu.vector
    cpu.expert: tensor attribute device catalog cpu.team cpu.access
    cpu.text: tensor attribute device catalog cpu.elementwise
    load:
    onednn: tensor attribute device catalog load cpu.team cpu.vector cpu.convolution
    cuda.load.elf:
    cuda.load: load cuda.load.elf
    cuda: tensor attribute device catalog cuda.load
    cuda.compile: cuda.load cuda load
    cuda.blas: tensor cuda.load cuda cuda.compile
    cuda.dnn: cuda.load cuda cuda.blas
    cuda.kernel: tensor attribute device catalog cuda cuda.compile cuda.blas
    cuda.movement: tensor attribute device catalog cuda cuda.kernel
    cuda.elementwise: tensor attribute device catalog cuda cuda.kernel
    cuda.reduction: tensor attribute device catalog cuda cuda.kernel
    cuda.selection: tensor attribute device catalog cuda cuda.kernel cuda.reduction
    cuda.random: tensor attribute device catalog cuda cuda.kernel
    cuda.product: tensor attribute device catalog cuda cuda.kernel cuda.blas
    cuda.convolution: tensor attribute device catalog cuda cuda.kernel cuda.blas cuda.dnn cuda.product
    cuda.epilogue: tensor attribute device catalog cuda cuda.kernel cuda.elementwise cuda.product cuda.convolution
    cuda.pool: tensor attribute device catalog cuda cuda.kernel cuda.convolution
    cuda.normalization: tensor attribute device catalog cuda cuda.kernel
    cuda.recurrent: tensor attribute device catalog cuda cuda.kernel
    cuda.attention: tensor attribute device catalog cuda cuda.kernel
    cuda.quantized: tensor attribute device catalog cuda cuda.kernel cuda.convolution cpu.quantized
    cuda.image: tensor attribute device catalog cuda cuda.kernel
    cuda.loss: tensor attribute device catalog cuda cuda.kernel cuda.selection
    cuda.signal: tensor attribute device catalog cuda cuda.kernel
    row: *""");

  /** The modules from planner to arrays; a rule below keeps the planner by itself. */
  private static final Table RUNTIME = Table.of("dev.cairn.runtime",
    """
      memory:
      memory.order:
      memory.recompute: memory memory.order
      memory.recompute.exact: memory.recompute memory.order
      memory.recompute.cut: memory.recompute memory.order
      memory.recompute.offload: memory.recompute memory.order
      memory.recompute.grappler: memory.recompute memory.recompute.offload memory.order
      memory.recompute.mincut: memory.recompute memory.recompute.cut memory.order
      memory.recompute.chen: memory.recompute memory.order
      memory.recompute.revolve: memory.recompute memory.order
      memory.recompute.mirror: memory.recompute memory.order
      memory.recompute.stream:
      memory.recompute.search: memory.recompute memory.recompute.exact memory.recompute.cut memory.recompute.revolve \
      memory.order
      memory.planner: memory
      memory.planner.nnvm: memory
      memory.planner.inductor..: memory memory.planner
      memory.planner.improve: memory memory.planner
      memory.planner.search: memory memory.planner memory.planner.improve
      trace:
      trace.flight: trace
      graph:
      expression: graph
      operator.gradient: expression graph
      operator.partial: graph
      operator: operator.gradient operator.partial graph
      operator.family: operator operator.gradient operator.partial graph
      infer: operator graph
      invoke: operator graph
      custom: expression operator operator.family operator.gradient graph
      pass: operator operator.family graph
      pass.simplify: pass infer operator graph
      pass.control: pass infer operator graph
      pass.attention: pass graph
      pass.precision: pass operator graph
      pass.layout: pass pass.simplify operator operator.partial graph
      pass.quantize: pass operator graph
      pass.fusion: pass operator graph
      pass.gradient: pass operator.gradient operator operator.family expression graph
      memory.analysis: memory memory.order memory.planner.nnvm operator graph
      memory.analysis.recompute: memory.analysis memory.recompute.. memory.order operator graph
      engine.failure:
      engine.stream: engine.failure
      engine.queue: engine.stream engine.failure
      engine.worker: engine.queue engine.stream engine.failure
      engine: engine.worker engine.queue engine.stream engine.failure
      compile: custom pass.. infer memory.. invoke operator operator.gradient graph
      executor.replay:
      backend: executor.replay custom
      executor: backend executor.replay custom compile engine.. infer invoke memory.analysis memory operator graph trace
      resource:
      symbol: expression operator operator.family operator.partial graph
      value: backend
      budget: executor
      parts: executor backend trace compile custom infer memory memory.analysis operator graph
      session: parts value budget resource trace.. executor engine.. backend custom compile invoke infer memory.. \
      operator operator.family operator.gradient graph
      ndarray.memory: budget invoke engine.. backend custom pass.fusion operator
      ndarray.storage: ndarray.memory engine.. operator
      ndarray.call: ndarray.storage ndarray.memory session invoke expression engine.. backend custom pass.fusion \
      operator graph
      ndarray: ndarray.call ndarray.storage ndarray.memory session value expression resource engine.. backend custom \
      invoke pass.gradient operator graph
      autograd: ndarray symbol invoke expression resource custom pass.gradient operator.gradient operator graph
      cached: session budget autograd ndarray ndarray.memory symbol invoke expression resource backend custom \
      pass.gradient operator.gradient operator graph
      """);

  private static final Table ONNX = Table.of("dev.cairn.runtime.onnx", """
    proto..:
    notation..:
    upgrade..: notation..
    expand..: upgrade.. notation..
    encode..: notation.. proto..
    decode..: expand.. upgrade.. notation.. proto..
    onnx: decode.. encode..""");

  private static final Table REPORT = Table.of("dev.cairn.runtime", """
    report:
    report.plan..:
    report.profile..:
    report.dump..: report report.plan..
    report.trace..: report
    tensorfile: report
    symbolfile: report tensorfile""");

  private static final Table TRAIN = Table.of("dev.cairn.runtime.train", """
    initializer:
    layer: initializer
    loss:
    metric:
    data:
    schedule:
    optimizer: schedule
    checkpoint:
    train: *""");

  private static final Table ZOO = Table.of("dev.cairn.runtime.zoo", "zoo:");

  private static final Table CLI = Table.of("dev.cairn.runtime.cli", """
    text..:
    doctor..:
    option..: text..
    cli: option.. doctor.. text..""");

  private static final Table BENCHMARKS = Table.of("dev.cairn.benchmarks", """
    harness..:
    written..:
    models..: written.. harness..
    breadth..: models.. written.. harness..
    allocator.arena:
    allocator.workload..: allocator.arena
    allocator: allocator.workload.. allocator.arena harness..
    planning..: harness..
    mxnet..:
    engine..: mxnet.. harness..
    imperative..: mxnet.. harness..
    training..: written.. harness..
    recompute..: written.. harness..
    gpu..: harness..
    busy..: harness..
    benchmarks: models.. breadth.. allocator planning.. engine.. imperative.. gpu.. training.. recompute.. busy.. \
    harness..
    """);

  private static final List<Table> MODULES = List.of(TESTING, ALLOCATOR, KERNELS, RUNTIME, ONNX, REPORT, TRAIN, ZOO,
    CLI, BENCHMARKS);

  /** What the modules' jars or folders of classes hold, without those of tests. */
  private static final class NoTests implements ImportOption {
    private static final ImportOption NO_FOLDER = ImportOption.Predefined.DO_NOT_INCLUDE_TESTS;

    @Override
    public boolean includes(Location location) {
      return NO_FOLDER.includes(location) && !location.contains("-tests.jar");
    }
  }

  /** The names of classes outside of Cairn suffice. */
  private static JavaClasses read() {
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    return new ClassFileImporter().withImportOption(new NoTests()).importPackages("dev.cairn");
  }

  @Test
  void theAllocatorsPackagesLookDownwards() {
    ALLOCATOR.check();
  }

  @Test
  void theKernelsPackagesLookDownwards() {
    KERNELS.check();
  }

  @Test
  void thePackagesFromPlannerToArraysLookDownwards() {
    RUNTIME.check();
  }

  @Test
  void theReadersOfFilesLookDownwards() {
    ONNX.check();
  }

  @Test
  void theReportsPackagesLookDownwards() {
    REPORT.check();
  }

  @Test
  void thePackagesOfTrainingLookDownwards() {
    TRAIN.check();
  }

  @Test
  void theCommandLinesPackagesLookDownwards() {
    CLI.check();
  }

  @Test
  void theBenchmarksPackagesLookDownwards() {
    BENCHMARKS.check();
  }

  @Test
  void everyClassIsInAPackageOfTheseTables() {
    classes().should().resideInAnyPackage(MODULES.stream().flatMap(it -> it.rows().keySet().stream().map(it::packages))
      .toArray(String[]::new)).check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.cairn.(**)").should().beFreeOfCycles().check(CLASSES);
    for (String module : List.of("report", "onnx", "train", "cli")) {
      slices().matching("dev.cairn.runtime." + module + ".(*)..").should().beFreeOfCycles().check(CLASSES);
    }
    slices().matching("dev.cairn.benchmarks.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  /**
   * Classes of a package that all depend on each other, directly or through others, are read together or not at all. A
   * nested class counts as the one around it.
   */
  @Test
  void circlesInsideOfPackagesAreSmall() {
    Map<String, Set<String>> used = new TreeMap<>();
    for (JavaClass it : CLASSES) {
      String from = topLevel(it);
      for (Dependency dependency : it.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (target.getPackageName().equals(it.getPackageName()) && !topLevel(target).equals(from)) {
          used.computeIfAbsent(from, _ -> new TreeSet<>()).add(topLevel(target));
        }
      }
    }
    List<Set<String>> large = Circles.of(used).stream().filter(it -> it.size() > LARGEST_CIRCLE).toList();
    assertThat(large).isEmpty();
  }

  private static String topLevel(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  @Test
  void thereIsNoDumpingGround() {
    noClasses().should().haveNameMatching(".*(Utils?|Helpers?)").check(CLASSES);
    noClasses().should().resideInAnyPackage("..util..", "..utils..", "..common..", "..misc..", "..helper..",
      "..helpers..").check(CLASSES);
  }

  @Test
  void loggingIsSlf4j() {
    noClasses().that().resideOutsideOfPackage("dev.cairn.runtime.cli..").should().dependOnClassesThat()
      .resideInAnyPackage("java.util.logging..", "org.apache.log4j..", "ch.qos.logback..")
      .orShould().dependOnClassesThat().haveFullyQualifiedName("java.lang.System$Logger").check(CLASSES);
  }

  @Test
  void nothingIsUnsafe() {
    noClasses().should().dependOnClassesThat().resideInAnyPackage("sun.misc..", "jdk.internal..").check(CLASSES);
  }

  /** JCuda is optional: without it all other classes must load. */
  @Test
  void twoPackagesUseJcuda() {
    noClasses().that().resideOutsideOfPackages("dev.cairn.kernels.cuda..", "dev.cairn.allocator.source").should()
      .dependOnClassesThat().resideInAPackage("jcuda..").check(CLASSES);
  }

  /** Only one class each calls the driver, the compiler and cuBLAS, so that another binding can replace JCuda. */
  @Test
  void oneClassEachCallsDriverCompilerAndCublas() {
    noClasses().that().resideInAPackage("dev.cairn.kernels..").and()
      .doNotHaveFullyQualifiedName("dev.cairn.kernels.cuda.CudaDriver").and()
      .doNotHaveFullyQualifiedName("dev.cairn.kernels.cuda.compile.CudaCompiler").and()
      .doNotHaveFullyQualifiedName("dev.cairn.kernels.cuda.blas.Cublas").and()
      .resideOutsideOfPackage("dev.cairn.kernels.cuda.load").should().dependOnClassesThat()
      .haveFullyQualifiedName("jcuda.driver.JCudaDriver")
      .orShould().dependOnClassesThat().haveFullyQualifiedName("jcuda.nvrtc.JNvrtc")
      .orShould().dependOnClassesThat().haveFullyQualifiedName("jcuda.jcublas.JCublas2").check(CLASSES);
  }

  @Test
  void theAllocatorUsesNothingElseOfCairnAndOnlyItsSourceUsesNetty() {
    noClasses().that().resideInAPackage("dev.cairn.allocator..").should().dependOnClassesThat()
      .resideInAnyPackage("dev.cairn.kernels..", "dev.cairn.runtime..").check(CLASSES);
    noClasses().that().resideInAPackage("dev.cairn.allocator..").and()
      .resideOutsideOfPackage("dev.cairn.allocator.source").should().dependOnClassesThat()
      .resideInAPackage("io.netty..").check(CLASSES);
  }

  /** Memory is passed in, so neither this library's allocators nor the platform's are called. */
  @Test
  void kernelsNeitherAllocateNorKnowGraphs() {
    noClasses().that().resideInAPackage("dev.cairn.kernels..").should().dependOnClassesThat()
      .resideInAnyPackage("dev.cairn.allocator..", "dev.cairn.runtime..").check(CLASSES);
  }

  /**
   * Loading and calls past JCuda hold no memory beyond a call, but for two numbers that each call to cuDNN reads, and
   * lists of arguments that oneDNN's primitives read; nor do tries of kernels. Page-locked memory has a segment that
   * ends.
   */
  @Test
  void fewKernelsUseArenas() {
    noClasses().that().resideInAPackage("dev.cairn.kernels..").and()
      .resideOutsideOfPackages("dev.cairn.kernels.load", "dev.cairn.kernels.onednn", "dev.cairn.kernels.cuda",
        "dev.cairn.kernels.cuda.load", "dev.cairn.kernels.cuda.dnn")
      .and()
      .doNotHaveFullyQualifiedName("dev.cairn.kernels.cuda.convolution.TrialOperands").and()
      .doNotHaveFullyQualifiedName("dev.cairn.kernels.cpu.quantized.IntegerProbe").and()
      .doNotHaveFullyQualifiedName("dev.cairn.kernels.cuda.convolution.ResultSample").should().dependOnClassesThat()
      .haveFullyQualifiedName("java.lang.foreign.Arena").check(CLASSES);
  }

  /**
   * Only the twins written with the Vector API need the incubator module. The portable ones, {@code Cpu...}, and all
   * that they use run without it.
   */
  @Test
  void onlyVectorTwinsUseTheVectorApi() {
    noClasses().that().resideInAPackage("dev.cairn.kernels..").and()
      .resideOutsideOfPackage("dev.cairn.kernels.cpu..").should().dependOnClassesThat()
      .resideInAPackage("jdk.incubator.vector..").check(CLASSES);
    noClasses().that().resideInAPackage("dev.cairn.kernels.cpu..").and().haveSimpleNameStartingWith("Cpu").should()
      .transitivelyDependOnClassesThat().resideInAPackage("jdk.incubator.vector..").check(CLASSES);
  }

  /** Planning needs numbers only: the module is usable without the rest of Cairn. */
  @Test
  void thePlannerIsUsableByItself() {
    classes().that().resideInAPackage("dev.cairn.runtime.memory..").and()
      .resideOutsideOfPackages("dev.cairn.runtime.memory.analysis", "dev.cairn.runtime.memory.analysis.recompute")
      .should()
      .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify.annotations").or(
        resideInAPackage("dev.cairn.runtime.memory..").and(not(resideInAnyPackage("dev.cairn.runtime.memory.analysis",
          "dev.cairn.runtime.memory.analysis.recompute")))))
      .check(CLASSES);
  }

  /** The engine needs no other part of Cairn than devices and their streams. */
  @Test
  void theEngineIsUsableByItself() {
    classes().that().resideInAPackage("dev.cairn.runtime.engine..").should()
      .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify.annotations", "org.slf4j..",
        "dev.cairn.runtime.engine..", "dev.cairn.kernels.device"))
      .check(CLASSES);
  }

  @Test
  void rulesOfOperatorsKnowNoKernels() {
    noClasses().that().resideInAnyPackage("dev.cairn.runtime.graph", "dev.cairn.runtime.operator..",
      "dev.cairn.runtime.infer").should().dependOnClassesThat()
      .resideInAnyPackage("dev.cairn.kernels.cpu..", "dev.cairn.kernels.catalog..", "dev.cairn.kernels.row..",
        "dev.cairn.kernels.device..")
      .check(CLASSES);
  }

  /** D-2: one way to find the kernel of an operator that runs now, and one for the nodes of a plan. */
  @Test
  void twoClassesFindKernels() {
    noClasses().that().resideInAPackage("dev.cairn.runtime..").and().doNotBelongToAnyOf(DispatchTable.class).and()
      .haveSimpleNameNotContaining("KernelChoice").should().callMethod(KernelCatalog.class, "find", String.class,
        KernelSignature.class)
      .check(CLASSES);
  }

  /**
   * Attributes are parsed once, by forms. Others that read them by name read what files of other operator sets have, or
   * write files.
   */
  @Test
  void onlyFormsReadAttributesByName() {
    Set<String> getters = Stream.of(Attributes.class.getMethods()).filter(it -> it.getParameterCount() > 0
      && it.getParameterTypes()[0] == String.class && it.getReturnType() != Attributes.class).map(Method::getName)
      .collect(Collectors.toSet());
    Set<String> readers = CLASSES.stream().filter(not(resideInAnyPackage("dev.cairn.kernels.attribute",
      "dev.cairn.runtime.onnx.upgrade..", "dev.cairn.runtime.onnx.expand.."))).filter(type -> type
        .getAccessesFromSelf().stream().anyMatch(it -> it.getTargetOwner().isEquivalentTo(Attributes.class) && getters
          .contains(it.getName())))
      .map(ArchitectureTest::topLevel).collect(Collectors.toCollection(TreeSet::new));
    assertThat(readers).containsExactly(READERS_OF_FILES);
  }

  @Test
  void kindsOfNodesAreRecords() {
    classes().that().implement(NodeKind.class).should().beRecords().check(CLASSES);
  }

  @Test
  void onlyDecodeAndEncodeSeeTheMessagesOfFiles() {
    noClasses().that().resideInAPackage("dev.cairn.runtime.onnx..").and()
      .resideOutsideOfPackages("dev.cairn.runtime.onnx.decode..", "dev.cairn.runtime.onnx.encode..",
        "dev.cairn.runtime.onnx.proto..")
      .should().dependOnClassesThat()
      .resideInAnyPackage("dev.cairn.runtime.onnx.proto..", "com.google.protobuf..").check(CLASSES);
  }

  /** Values go in and files come out: no allocator is touched. */
  @Test
  void dumpsWorkOnValuesOnly() {
    noClasses().that().resideInAPackage("dev.cairn.runtime.report.dump..").should().dependOnClassesThat()
      .resideInAnyPackage("dev.cairn.allocator.bfc..", "dev.cairn.allocator.source..",
        "dev.cairn.runtime.report.trace..")
      .check(CLASSES);
  }

  @Test
  void filesOfTensorsKnowTensorsOnly() {
    String files = "dev.cairn.runtime.tensorfile";
    noClasses().that().resideInAPackage(files).should().dependOnClassesThat(resideInAPackage("dev.cairn..").and(
      not(resideInAnyPackage(files, "dev.cairn.runtime.report", "dev.cairn.kernels.tensor", "dev.cairn.allocator"))))
      .check(CLASSES);
    noClasses().that().resideInAPackage("dev.cairn.runtime.report..").should().dependOnClassesThat()
      .resideInAPackage(files).check(CLASSES);
  }

  /** Layers, losses and metrics are written once, over expressions: none of them may know how one is computed. */
  @Test
  void layersKnowNoKernels() {
    noClasses().that().resideInAnyPackage("dev.cairn.runtime.train.layer", "dev.cairn.runtime.train.loss",
      "dev.cairn.runtime.train.optimizer").should().dependOnClassesThat()
      .resideInAnyPackage("dev.cairn.kernels.cpu..", "dev.cairn.kernels.catalog..", "dev.cairn.kernels.row..")
      .check(CLASSES);
  }

  @Test
  void theCommandLineReadsTheEnvironmentInOnePlace() {
    noClasses().that().resideInAPackage("dev.cairn.runtime.cli..").and().doNotHaveSimpleName("RuntimeOptions").should()
      .callMethod(System.class, "getenv", String.class).orShould().callMethod(Boolean.class, "getBoolean",
        String.class)
      .check(CLASSES);
  }

  @Test
  void theHarnessOfBenchmarksKnowsNothingThatIsMeasured() {
    noClasses().that().resideInAPackage("dev.cairn.benchmarks.harness..").should().dependOnClassesThat()
      .resideInAnyPackage("dev.cairn.runtime..", "dev.cairn.kernels..", "dev.cairn.allocator..", "ai.onnxruntime..")
      .check(CLASSES);
  }

  @Test
  void oneClassOfBenchmarksCallsTheAllocatorThatIsTimed() {
    noClasses().that().resideInAPackage("dev.cairn.benchmarks.allocator..").and().doNotHaveSimpleName("CairnArena")
      .should().dependOnClassesThat()
      .resideInAnyPackage("dev.cairn.allocator.bfc..", "dev.cairn.allocator.source..").check(CLASSES);
  }
}
