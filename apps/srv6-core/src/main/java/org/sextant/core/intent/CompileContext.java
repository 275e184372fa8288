// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.Entry;
import org.sextant.core.underlay.Underlay;

/** All inputs of a compiler. */
public final class CompileContext {
    private final Underlay underlay;
    private final Map<String, Capabilities> capabilities;
    private final Map<String, Map<Entry.Key, String>> refused;
    private final Map<String, Integer> lives;
    private final int compilerVersion;
    private final Claims claims;
    private final Function<IntentRef, Optional<ReferencedIntent>> references;
    private final Function<String, List<Exporter>> names;
    private final Optional<Plan> before;
    private final Function<PreemptionKey, Reserved> reserved;

    /** Nodes that refused nothing. */
    public CompileContext(Network network, Map<String, Capabilities> capabilities) {
        this(network, capabilities, Map.of());
    }

    /**
     * @param capabilities by node name; a node that never connected is absent, and a compiler assumes it can do everything
     * @param refused by node name, the SIDs that it can never serve, and its reasons
     */
    public CompileContext(
            Network network, Map<String, Capabilities> capabilities, Map<String, Map<Entry.Key, String>> refused) {
        this(new Underlay(network), capabilities, refused, Map.of(), CompilerVersions.CURRENT.newest());
    }

    private CompileContext(
            Underlay underlay,
            Map<String, Capabilities> capabilities,
            Map<String, Map<Entry.Key, String>> refused,
            Map<String, Integer> lives,
            int compilerVersion) {
        this.underlay = underlay;
        this.capabilities = Map.copyOf(capabilities);
        this.refused = refused.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, node -> Map.copyOf(node.getValue())));
        this.lives = Map.copyOf(lives);
        this.compilerVersion = compilerVersion;
        this.claims = Claims.ALONE;
        this.references = ref -> Optional.empty();
        this.names = name -> List.of();
        this.before = Optional.empty();
        this.reserved = seat -> Reserved.NOTHING;
    }

    private CompileContext(
            CompileContext shared,
            Claims claims,
            Function<IntentRef, Optional<ReferencedIntent>> references,
            Function<String, List<Exporter>> names,
            Optional<Plan> before,
            Function<PreemptionKey, Reserved> reserved) {
        this.underlay = shared.underlay;
        this.capabilities = shared.capabilities;
        this.refused = shared.refused;
        this.lives = shared.lives;
        this.compilerVersion = shared.compilerVersion;
        this.claims = claims;
        this.references = references;
        this.names = names;
        this.before = before;
        this.reserved = reserved;
    }

    /** This context for one compilation. */
    public CompileContext answering(
            Claims ofOne,
            Function<IntentRef, Optional<ReferencedIntent>> others,
            Function<String, List<Exporter>> offers) {
        return new CompileContext(this, ofOne, others, offers, before, reserved);
    }

    /** This context with the capacity that other intents have reserved. */
    public CompileContext accounting(Function<PreemptionKey, Reserved> ledger) {
        return new CompileContext(this, claims, references, names, before, ledger);
    }

    /** This context with intents that others refer to. */
    public CompileContext seeing(Function<IntentRef, Optional<ReferencedIntent>> others) {
        return new CompileContext(this, claims, others, names, before, reserved);
    }

    /** This context with the values that intents export under names. */
    public CompileContext following(Function<String, List<Exporter>> offers) {
        return new CompileContext(this, claims, references, offers, before, reserved);
    }

    /**
     * This context with another network. It suits a what-if analysis only, as reservations stay those of the present
     * network.
     */
    public CompileContext over(Network other) {
        return new CompileContext(
                new CompileContext(new Underlay(other), capabilities, refused, lives, compilerVersion),
                claims,
                references,
                names,
                Optional.empty(),
                reserved);
    }

    /** The next one: its underlay is this one's, unless the network is another. */
    public CompileContext next(
            Network network,
            Map<String, Capabilities> offered,
            Map<String, Map<Entry.Key, String>> refusing,
            Map<String, Integer> living) {
        return new CompileContext(underlay.next(network), offered, refusing, living, compilerVersion);
    }

    /** This context for paths that avoid overloaded nodes ({@link Underlay#avoidingOverloaded}). */
    public CompileContext avoidingOverloaded() {
        return new CompileContext(
                new CompileContext(underlay.avoidingOverloaded(), capabilities, refused, lives, compilerVersion),
                claims,
                references,
                names,
                before,
                reserved);
    }

    /** This context in another network. */
    public CompileContext in(Network network) {
        return new CompileContext(new Underlay(network), capabilities, refused, lives, compilerVersion);
    }

    /** This context for another compiler version. */
    public CompileContext at(int version) {
        return new CompileContext(underlay, capabilities, refused, lives, version);
    }

    /** The version of plans to compile: two controllers with the same version compile an intent to the same entries. */
    public int compilerVersion() {
        return compilerVersion;
    }

    public Network network() {
        return underlay.network();
    }

    /** Underlay forwarding, before any policy. */
    public Underlay underlay() {
        return underlay;
    }

    /**
     * Allocates numbers of a pool to an intent, exclusively, and keeps them for it until no node holds an entry of it
     * any more. Empty if others have all of them; the compiler then names the reason for the rejection.
     */
    public OptionalLong claim(NumberedIntent<?> intent, AllocationRequest claim) {
        return claims.answer(intent, claim);
    }

    /** The holder of the number that a request asks for, if it was not allocated ({@link AllocationRequest#exactly}). */
    public Optional<IntentRef> holder(AllocationRequest claim) {
        return claims.holder(claim);
    }

    /** The reservations of the intents that precede one with this key. */
    public Reserved reserved(PreemptionKey seat) {
        return reserved.apply(seat);
    }

    /** A link's capacity in kbit/s; 0 if unknown. */
    public long capacity(String link) {
        return underlay.link(link).map(Link::capacityKbps).orElse(0L);
    }

    /** The intent's last plan in this run of the controller; empty if it was not feasible. */
    public Optional<Plan> before() {
        return before;
    }

    /** This context for an intent whose last plan was this. */
    public CompileContext after(Plan plan) {
        return new CompileContext(
                this, claims, references, names, Optional.of(plan).filter(Plan::feasible), reserved);
    }

    /** An intent that the compiled one refers to ({@link IntentKind#refersTo}); empty if it is not there. */
    public Optional<ReferencedIntent> referred(IntentRef ref) {
        return references.apply(ref);
    }

    /** The values exported under a name that the compiled intent follows ({@link IntentKind#follows}). */
    public List<Exporter> followed(String name) {
        return names.apply(name);
    }

    /**
     * The export of an intent that the compiled one refers to.
     *
     * @param field that names it, as a JSON pointer
     * @throws ProblemException if it is not there, or exports nothing now
     */
    public <T> T offered(IntentRef ref, Class<T> type, String field) {
        String called = ref.kind() + " \"" + ref.id() + "\"";
        ReferencedIntent referred = referred(ref)
                .orElseThrow(() -> new ProblemException(new Problem(
                        Problem.Code.UNKNOWN, field, "there is no " + called, "add it first, or name another")));
        return referred.offer()
                .map(type::cast)
                .orElseThrow(() -> new ProblemException(new Problem(
                        Problem.Code.UNFEASIBLE,
                        field,
                        called + " has nothing to install now",
                        "look at what stands against it; what refers to it comes with it")));
    }

    /**
     * The boot count of a node, the present boot included: a node that loses its entries on a restart begins another.
     * It is counted where an entry carries it ({@link Entry#life}).
     */
    public int life(String node) {
        return lives.getOrDefault(node, 1);
    }

    /** The reason of a node that can never serve a SID, if it has reported one. */
    public Optional<String> refusal(String node, Entry.Key sid) {
        return Optional.ofNullable(refused.getOrDefault(node, Map.of()).get(sid));
    }

    /** Empty if the node never connected. */
    public Optional<Capabilities> capabilities(String node) {
        return Optional.ofNullable(capabilities.get(node));
    }
}
