package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.HelpSection;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The list of options in the help of a command that has many: the common ones, or with {@code --all} every one, under
 * the headings of {@link HelpSection}.
 */
final class OptionHelp implements IHelpSectionRenderer {
  private static final String ALL = "--all";
  /** Commands with at most this many options list all of them in one alphabetic list. */
  private static final int FEW = 15;

  private final boolean showsAll;

  private OptionHelp(boolean showsAll) {
    this.showsAll = showsAll;
  }

  /** Adds {@code --all} to the command and gives its help sections, if it has many options. */
  static void addTo(CommandLine command, List<String> arguments) {
    CommandSpec spec = command.getCommandSpec();
    if (spec.options().size() <= FEW) {
      return;
    }
    spec.addOption(OptionSpec.builder(ALL).usageHelp(true).description("Show help with all options and exit.").build());
    spec.usageMessage().abbreviateSynopsis(true);
    command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, new OptionHelp(arguments.contains(ALL)));
  }

  /** {@code cairn help VERB --all} prints what {@code cairn VERB --all} prints. */
  static void addTo(CommandSpec help) {
    help.addOption(OptionSpec.builder(ALL).type(boolean.class).description("Show all options of a command.").build());
  }

  /** What to type behind {@code cairn help VERB} to see every option; empty where it lists them anyway. */
  static String ofAll(CommandLine command) {
    return command.getCommandSpec().findOption(ALL) != null ? " " + ALL : "";
  }

  @Override
  public String render(Help help) {
    Map<HelpSection, List<OptionSpec>> sections = new EnumMap<>(HelpSection.class);
    int omitted = 0;
    for (OptionSpec option : help.commandSpec().options()) {
      if (showsAll || isCommon(option)) {
        sections.computeIfAbsent(section(option), _ -> new ArrayList<>()).add(option);
      } else {
        omitted++;
      }
    }
    var text = new StringBuilder();
    sections.forEach((section, options) -> text.append("%n%s:%n".formatted(section.title())).append(help
      .optionListExcludingGroups(options)));
    if (omitted > 0) {
      text.append("%n'cairn help %s --all' shows %d more options.%n".formatted(help.commandSpec().name(), omitted));
    }
    return text.toString();
  }

  private static boolean isCommon(OptionSpec option) {
    return option.usageHelp() || (option.userObject() instanceof Field field && field.isAnnotationPresent(
      HelpSection.Common.class));
  }

  private static HelpSection section(OptionSpec option) {
    if (!(option.userObject() instanceof Field field)) {
      return HelpSection.GENERAL;
    }
    HelpSection.In own = field.getAnnotation(HelpSection.In.class);
    HelpSection.In shared = field.getDeclaringClass().getAnnotation(HelpSection.In.class);
    return own != null ? own.value() : shared != null ? shared.value() : HelpSection.GENERAL;
  }
}
