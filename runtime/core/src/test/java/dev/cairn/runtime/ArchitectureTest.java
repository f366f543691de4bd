package dev.cairn.runtime;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.invoke.DispatchTable;

/**
 * The rooms of this module, lowest first, and who may look into which. Those of the planner (memory, its order and its
 * planners) are of the module below: here stands only who may use them.
 */
@AnalyzeClasses(packages = "dev.cairn.runtime", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule LAYERS_LOOK_DOWNWARDS = layeredArchitecture().consideringOnlyDependenciesInLayers()
    .layer("trace").definedBy("dev.cairn.runtime.trace") //
    .layer("trace.flight").definedBy("dev.cairn.runtime.trace.flight") //
    .layer("graph").definedBy("dev.cairn.runtime.graph") //
    .layer("operator").definedBy("dev.cairn.runtime.operator") //
    .layer("operator.family").definedBy("dev.cairn.runtime.operator.family") //
    .layer("operator.gradient").definedBy("dev.cairn.runtime.operator.gradient") //
    .layer("infer").definedBy("dev.cairn.runtime.infer") //
    .layer("invoke").definedBy("dev.cairn.runtime.invoke") //
    .layer("custom").definedBy("dev.cairn.runtime.custom") //
    .layer("pass").definedBy("dev.cairn.runtime.pass") //
    .layer("pass.simplify").definedBy("dev.cairn.runtime.pass.simplify") //
    .layer("pass.control").definedBy("dev.cairn.runtime.pass.control") //
    .layer("pass.attention").definedBy("dev.cairn.runtime.pass.attention") //
    .layer("pass.precision").definedBy("dev.cairn.runtime.pass.precision") //
    .layer("pass.layout").definedBy("dev.cairn.runtime.pass.layout") //
    .layer("pass.quantise").definedBy("dev.cairn.runtime.pass.quantise") //
    .layer("pass.fusion").definedBy("dev.cairn.runtime.pass.fusion") //
    .layer("pass.gradient").definedBy("dev.cairn.runtime.pass.gradient") //
    .layer("memory").definedBy("dev.cairn.runtime.memory") //
    .layer("memory.order").definedBy("dev.cairn.runtime.memory.order") //
    .layer("memory.planner").definedBy("dev.cairn.runtime.memory.planner") //
    .layer("memory.planner.nnvm").definedBy("dev.cairn.runtime.memory.planner.nnvm") //
    .layer("memory.planner.inductor").definedBy("dev.cairn.runtime.memory.planner.inductor..") //
    .layer("memory.planner.improve").definedBy("dev.cairn.runtime.memory.planner.improve") //
    .layer("memory.planner.search").definedBy("dev.cairn.runtime.memory.planner.search") //
    .layer("memory.analysis").definedBy("dev.cairn.runtime.memory.analysis") //
    .layer("memory.remat").definedBy("dev.cairn.runtime.memory.remat..") //
    .layer("memory.recompute").definedBy("dev.cairn.runtime.memory.recompute") //
    .layer("engine").definedBy("dev.cairn.runtime.engine") //
    .layer("compile").definedBy("dev.cairn.runtime.compile") //
    .layer("executor.replay").definedBy("dev.cairn.runtime.executor.replay") //
    .layer("backend").definedBy("dev.cairn.runtime.backend") //
    .layer("executor").definedBy("dev.cairn.runtime.executor") //
    .layer("expression").definedBy("dev.cairn.runtime.expression") //
    .layer("resource").definedBy("dev.cairn.runtime.resource") //
    .layer("symbol").definedBy("dev.cairn.runtime.symbol") //
    .layer("ndarray").definedBy("dev.cairn.runtime.ndarray") //
    .layer("autograd").definedBy("dev.cairn.runtime.autograd") //
    .layer("cached").definedBy("dev.cairn.runtime.cached") //
    .layer("runtime").definedBy("dev.cairn.runtime") //
    .whereLayer("trace").mayNotAccessAnyLayer() //
    .whereLayer("trace.flight").mayOnlyAccessLayers("trace") //
    .whereLayer("graph").mayNotAccessAnyLayer() //
    .whereLayer("operator").mayOnlyAccessLayers("graph") //
    .whereLayer("operator.family").mayOnlyAccessLayers("operator", "graph") //
    .whereLayer("operator.gradient").mayOnlyAccessLayers("operator", "graph") //
    .whereLayer("infer").mayOnlyAccessLayers("operator", "graph") //
    .whereLayer("invoke").mayOnlyAccessLayers("operator", "graph") //
    .whereLayer("custom").mayOnlyAccessLayers("expression", "operator", "operator.family", "operator.gradient",
      "graph") //
    .whereLayer("pass").mayOnlyAccessLayers("graph") //
    .whereLayer("pass.simplify").mayOnlyAccessLayers("pass", "infer", "operator", "graph") //
    .whereLayer("pass.control").mayOnlyAccessLayers("pass", "infer", "operator", "graph") //
    .whereLayer("pass.attention").mayOnlyAccessLayers("pass", "graph") //
    .whereLayer("pass.precision").mayOnlyAccessLayers("pass", "graph") //
    .whereLayer("pass.layout").mayOnlyAccessLayers("pass", "pass.simplify", "operator", "graph") //
    .whereLayer("pass.quantise").mayOnlyAccessLayers("pass", "operator", "graph") //
    .whereLayer("pass.fusion").mayOnlyAccessLayers("pass", "operator", "graph") //
    .whereLayer("pass.gradient").mayOnlyAccessLayers("pass", "operator.gradient", "operator", "graph") //
    .whereLayer("memory.recompute").mayOnlyAccessLayers("memory.analysis", "memory.remat", "memory.order", "operator",
      "graph") //
    .whereLayer("memory.analysis").mayOnlyAccessLayers("memory", "memory.order", "memory.planner.nnvm", "operator",
      "graph") //
    .whereLayer("engine").mayNotAccessAnyLayer() //
    .whereLayer("compile")
    .mayOnlyAccessLayers("custom", "pass.attention", "pass.control", "pass.fusion", "pass.gradient", "pass.layout",
      "pass.precision",
      "pass.quantise", "pass.simplify", "pass", "infer", "memory.analysis", "memory.order", "memory.planner",
      "memory.remat", "memory.recompute",
      "memory.planner.nnvm",
      "memory.planner.inductor", "memory.planner.improve", "memory.planner.search", "memory", "invoke", "operator",
      "operator.gradient", "graph") //
    .whereLayer("executor.replay").mayNotAccessAnyLayer() //
    .whereLayer("backend").mayOnlyAccessLayers("executor.replay", "custom") //
    .whereLayer("expression").mayNotAccessAnyLayer() //
    .whereLayer("resource").mayNotAccessAnyLayer() //
    .whereLayer("symbol").mayOnlyAccessLayers("expression", "operator", "operator.family", "graph") //
    .whereLayer("ndarray").mayOnlyAccessLayers("invoke", "expression", "resource", "engine", "backend", "custom",
      "pass.gradient", "operator", "operator.family", "graph") //
    .whereLayer("autograd").mayOnlyAccessLayers("ndarray", "symbol", "invoke", "resource", "custom", "pass.gradient",
      "operator.gradient", "operator", "graph") //
    .whereLayer("cached").mayOnlyAccessLayers("runtime", "autograd", "ndarray", "symbol", "invoke", "resource",
      "backend", "custom", "pass.gradient", "operator.gradient", "operator", "graph") //
    .whereLayer("executor").mayOnlyAccessLayers("backend", "executor.replay", "custom", "compile", "engine", "infer",
      "invoke",
      "memory.analysis",
      "memory",
      "operator", "graph", "trace");

  @ArchTest
  static final ArchRule NO_CYCLES = slices().matching("dev.cairn.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule ENGINE_KNOWS_NO_GRAPH = noClasses().that().resideInAPackage("dev.cairn.runtime.engine..")
    .should().dependOnClassesThat(resideInAPackage("dev.cairn.runtime.graph.."));

  @ArchTest
  static final ArchRule RULES_KNOW_NO_KERNELS = noClasses()
    .that().resideInAnyPackage("dev.cairn.runtime.graph", "dev.cairn.runtime.operator..", "dev.cairn.runtime.infer")
    .should().dependOnClassesThat().resideInAnyPackage("dev.cairn.kernels.cpu..", "dev.cairn.kernels.catalog..",
      "dev.cairn.kernels.device..");

  /** D-2: one way to find the kernel of an operator that runs now, and one for the nodes of a plan. */
  @ArchTest
  static final ArchRule TWO_CLASSES_FIND_KERNELS = noClasses().that().doNotBelongToAnyOf(DispatchTable.class).and()
    .haveSimpleNameNotContaining("KernelChoice").should().callMethod(KernelCatalog.class, "find", String.class,
      KernelSignature.class);

  /** JCuda is optional: its classes are behind those of {@code kernels.cuda} and {@code allocator.source}. */
  @ArchTest
  static final ArchRule NO_JCUDA = noClasses().should().dependOnClassesThat().resideInAPackage("jcuda..");

  @ArchTest
  static final ArchRule NODE_KINDS_ARE_RECORDS = classes().that().implement(NodeKind.class).should().beRecords();

  @ArchTest
  static final ArchRule NO_DUMPING_GROUND = noClasses().should().resideInAnyPackage("..util..", "..common..",
    "..misc..", "..helper..").orShould().haveSimpleNameEndingWith("Utils").orShould().haveSimpleNameEndingWith("Util")
    .orShould().haveSimpleNameEndingWith("Helper");
}
