// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.sextant.kit.Endpoint;

/** The destinations and flows that a policy steers; in JSON one list, in which flows have their index. */
record Steering(List<Endpoint> destinations, List<SteeredFlow> flows) {
    static final Steering NONE = new Steering(List.of(), List.of());

    Steering {
        destinations = List.copyOf(destinations);
        flows = List.copyOf(flows);
    }

    /** An element of the list. */
    sealed interface Element {}

    record Destination(Endpoint endpoint) implements Element {}

    /** @param flow at any index: that of the element holds */
    record Flow(SteeredFlow flow) implements Element {}

    static Steering of(List<Element> elements) {
        List<Endpoint> destinations = new ArrayList<>();
        List<SteeredFlow> flows = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof Flow element) {
                flows.add(element.flow().movedTo(i));
            } else {
                destinations.add(((Destination) elements.get(i)).endpoint());
            }
        }
        return new Steering(destinations, flows);
    }

    List<Element> elements() {
        List<Element> elements = new ArrayList<>();
        Iterator<Endpoint> ends = destinations.iterator();
        for (SteeredFlow flow :
                flows.stream().sorted(Comparator.comparing(SteeredFlow::at)).toList()) {
            while (elements.size() < flow.at() && ends.hasNext()) {
                elements.add(new Destination(ends.next()));
            }
            elements.add(new Flow(flow));
        }
        ends.forEachRemaining(end -> elements.add(new Destination(end)));
        return elements;
    }
}
