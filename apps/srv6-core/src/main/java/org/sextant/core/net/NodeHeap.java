// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

/**
 * Nodes by distance, nearest first, each at most once: a binary heap with an index of its nodes, so that a shorter
 * distance moves a node up instead of adding it twice.
 */
public final class NodeHeap {
    private final int[] heap;
    private final int[] placeOf;
    private final long[] distanceOf;
    private int size;

    /** @param nodes they are numbered 0 to {@code nodes - 1} */
    public NodeHeap(int nodes) {
        heap = new int[nodes];
        placeOf = new int[nodes];
        distanceOf = new long[nodes];
        java.util.Arrays.fill(placeOf, -1);
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Adds a node, or moves it to a shorter distance. */
    public void add(int node, long distance) {
        distanceOf[node] = distance;
        if (placeOf[node] < 0) {
            place(node, size++);
        }
        rise(node);
    }

    public int removeNearest() {
        int nearest = heap[0];
        placeOf[nearest] = -1;
        int last = heap[--size];
        if (size > 0) {
            place(last, 0);
            sink(last);
        }
        return nearest;
    }

    private void rise(int node) {
        int place = placeOf[node];
        while (place > 0) {
            int parent = (place - 1) / 2;
            if (distanceOf[heap[parent]] <= distanceOf[node]) {
                break;
            }
            place(heap[parent], place);
            place = parent;
        }
        place(node, place);
    }

    private void sink(int node) {
        int place = 0;
        while (true) {
            int child = 2 * place + 1;
            if (child + 1 < size && distanceOf[heap[child + 1]] < distanceOf[heap[child]]) {
                child++;
            }
            if (child >= size || distanceOf[heap[child]] >= distanceOf[node]) {
                break;
            }
            place(heap[child], place);
            place = child;
        }
        place(node, place);
    }

    private void place(int node, int place) {
        heap[place] = node;
        placeOf[node] = place;
    }
}
