// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.explain;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.json.BoundedJson;
import org.sextant.core.json.ProblemJson;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.text.ProblemText;
import org.sextant.usid.Policy;
import org.sextant.usid.PolicyShape;
import org.sextant.usid.plan.PolicyCompiler;
import org.sextant.usid.text.PlanText;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Exit status 0: the policy is feasible; 1: it is not, or a file is unreadable; 2: usage error; 70: internal error. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = "Says what a policy would do to the packets: containers, hops, bytes, MTU, entries.")
public final class Main implements Callable<Integer> {
    private static final int MAX_POLICY_BYTES = 64 << 10;
    private static final int MAX_DEPTH = 32;
    private static final int FAULT = 70;

    @Option(
            names = "--network",
            paramLabel = "FILE",
            defaultValue = "lab/fig4.json",
            description = "Network description (default: ${DEFAULT-VALUE}).")
    private Path networkFile;

    @Option(names = "--json", description = "Print the plan as JSON, the same that a dry run answers.")
    private boolean json;

    @Parameters(paramLabel = "POLICY", description = "File with the policy's JSON, or - for the standard input.")
    private Path policyFile;

    private final PrintStream out;
    private final PrintStream err;

    Main(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs and exits. */
    public static void main(String[] arguments) {
        System.exit(run(System.out, System.err, arguments));
    }

    static int run(PrintStream out, PrintStream err, String... arguments) {
        return new CommandLine(new Main(out, err))
                .setOut(new java.io.PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new java.io.PrintWriter(err, true, StandardCharsets.UTF_8))
                .setExecutionExceptionHandler((fault, line, parsed) -> fault(fault, err))
                .execute(arguments);
    }

    /** Prints an internal error as one line with its place in the code. */
    private static int fault(Exception fault, PrintStream err) {
        StackTraceElement[] places = fault.getStackTrace();
        err.println("a fault of Sextant's own: " + fault + (places.length == 0 ? "" : " at " + places[0])
                + "; please report it with the policy and the network");
        return FAULT;
    }

    @Override
    public Integer call() throws IOException {
        try {
            Network network = NetworkFile.parse(Files.readAllBytes(networkFile)).orThrow();
            Plan plan = explain(network, policy());
            if (!plan.feasible()) {
                return refuse(plan.problems());
            }
            out.print(json ? pretty(plan.explanation()) : PlanText.of(plan.explanation()));
            return 0;
        } catch (ProblemException e) {
            return refuse(e.problems());
        } catch (NoSuchFileException e) {
            err.println("there is no file " + e.getFile());
            return 1;
        } catch (IOException e) {
            err.println("cannot read: " + e.getMessage());
            return 1;
        }
    }

    private Policy policy() throws IOException {
        BoundedJson reader = new BoundedJson(MAX_POLICY_BYTES, MAX_DEPTH);
        byte[] bytes = policyFile.toString().equals("-")
                ? System.in.readNBytes(MAX_POLICY_BYTES + 1)
                : Files.readAllBytes(policyFile);
        return PolicyShape.POLICY.decode(reader.read(bytes));
    }

    private static Plan explain(Network network, Policy policy) {
        NumberedIntent<Policy> numbered = new NumberedIntent<>(policy.name().orElse("explained"), 1, policy);
        return new PolicyCompiler().explain(numbered, new CompileContext(network, Pipelines.of(network)));
    }

    private int refuse(List<Problem> problems) throws IOException {
        if (json) {
            out.print(pretty(ProblemJson.errors(problems)));
        } else {
            err.print(ProblemText.inDocument(problems));
        }
        return 1;
    }

    private static String pretty(ObjectNode node) throws IOException {
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(node) + "\n";
    }
}
