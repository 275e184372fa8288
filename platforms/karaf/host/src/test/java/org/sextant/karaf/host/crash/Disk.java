// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.sextant.karaf.host.crash.Trace.Operation;

/**
 * The files below a folder while a trace is played: the data that programs see, and the data certainly on disk. A sync
 * makes the blocks of a file certain, a sync of a folder the names in it; names become certain in the order in which they
 * changed, as a journaling file system has it.
 */
final class Disk {
    private static final int BLOCK = 4096;
    private static final int SECTOR = 512;

    /** A kind of crash, by which of the unsynced data survives. */
    enum Crash {
        /** kill -9: all of it, but the last write may have been made in part. */
        KILL,
        /** A power cut while blocks are written back in the order of the file. */
        IN_ORDER,
        /** A power cut that each block survives or not by itself. */
        ANY_BLOCKS
    }

    private static final class Inode {
        byte[] seen = new byte[0];
        byte[] certain = new byte[0];
        final BitSet dirty = new BitSet();
        final boolean folder;

        Inode(boolean folder) {
            this.folder = folder;
        }

        void write(long offset, byte[] bytes) {
            int end = Math.toIntExact(offset + bytes.length);
            if (end > seen.length) {
                seen = Arrays.copyOf(seen, end);
            }
            System.arraycopy(bytes, 0, seen, (int) offset, bytes.length);
            dirty.set((int) offset / BLOCK, (end + BLOCK - 1) / BLOCK);
        }

        void truncate(long length) {
            int before = seen.length;
            seen = Arrays.copyOf(seen, Math.toIntExact(length));
            dirty.set((int) Math.min(before, length) / BLOCK, (int) (Math.max(before, length) + BLOCK - 1) / BLOCK + 1);
        }

        void sync() {
            certain = seen.clone();
            dirty.clear();
        }

        /** The certain bytes with these blocks as programs see them. */
        byte[] with(BitSet blocks, boolean newLength) {
            byte[] left = Arrays.copyOf(certain, newLength ? seen.length : certain.length);
            blocks.stream().forEach(block -> {
                int from = block * BLOCK;
                int to = Math.min(Math.min(from + BLOCK, seen.length), left.length);
                if (from < to) {
                    System.arraycopy(seen, from, left, from, to - from);
                }
            });
            return left;
        }
    }

    private final Map<String, Inode> names = new LinkedHashMap<>();
    private final Map<String, Inode> certainNames = new LinkedHashMap<>();
    private final List<Operation> pendingNames = new ArrayList<>();
    private final Map<Operation, Inode> pendingInodes = new LinkedHashMap<>();

    void play(Operation operation) {
        switch (operation.kind()) {
            case 'w' -> names.get(operation.name()).write(operation.offset(), operation.bytes());
            case 't' -> names.get(operation.name()).truncate(operation.offset());
            case 's' -> names.get(operation.name()).sync();
            case 'd' -> {
                String folder = operation.name();
                certainNames.keySet().removeIf(name -> above(name).equals(folder));
                names.forEach((name, inode) -> {
                    if (above(name).equals(folder)) {
                        certainNames.put(name, inode);
                    }
                });
                pendingNames.removeIf(pending -> above(pending.name()).equals(folder));
            }
            default -> {
                pendingNames.add(operation);
                if (operation.kind() == 'c' || operation.kind() == 'm') {
                    pendingInodes.put(operation, new Inode(operation.kind() == 'm'));
                }
                rename(names, operation);
            }
        }
    }

    /** The folder that a name is in; "" for the one that all are in. */
    private static String above(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }

    private void rename(Map<String, Inode> of, Operation operation) {
        switch (operation.kind()) {
            case 'c', 'm' -> of.put(operation.name(), pendingInodes.get(operation));
            case 'u' -> of.remove(operation.name());
            case 'r' -> {
                Inode moved = of.remove(operation.name());
                if (moved != null) {
                    of.put(operation.newName(), moved);
                }
            }
            default -> throw new IllegalArgumentException("operation " + operation.kind());
        }
    }

    /** The files of the folder after a crash at this point; {@code last} is the operation that was played last. */
    Map<String, byte[]> after(Crash crash, Operation last, RandomGenerator random) {
        Map<String, byte[]> left = new LinkedHashMap<>();
        if (crash == Crash.KILL) {
            names.forEach((name, inode) -> {
                if (!inode.folder) {
                    left.put(name, inode.seen);
                }
            });
            if (last.kind() == 'w' && last.bytes().length > SECTOR) {
                tear(left, last, random);
            }
            return left;
        }
        Map<String, Inode> named = new LinkedHashMap<>(certainNames);
        pendingNames.subList(0, random.nextInt(pendingNames.size() + 1)).forEach(operation -> rename(named, operation));
        named.forEach((name, inode) -> {
            if (!inode.folder && isReached(name, named)) {
                left.put(name, survived(inode, crash, random));
            }
        });
        return left;
    }

    /** If all folders above are there. */
    private static boolean isReached(String name, Map<String, Inode> named) {
        String folder = above(name);
        return folder.isEmpty() || named.containsKey(folder) && isReached(folder, named);
    }

    /** The end of the last write was not made, where it made the file longer; the overwritten part is whole. */
    private static void tear(Map<String, byte[]> left, Operation last, RandomGenerator random) {
        byte[] whole = left.get(last.name());
        int made = random.nextInt(last.bytes().length / SECTOR + 1) * SECTOR;
        int from = (int) last.offset() + made;
        byte[] torn = last.offset() + last.bytes().length == whole.length ? Arrays.copyOf(whole, from) : whole;
        left.put(last.name(), torn);
    }

    private static byte[] survived(Inode inode, Crash crash, RandomGenerator random) {
        BitSet blocks = new BitSet();
        int count = inode.dirty.cardinality();
        if (crash == Crash.IN_ORDER) {
            int most = random.nextInt(count + 1);
            inode.dirty.stream().limit(most).forEach(blocks::set);
        } else {
            int share = random.nextInt(101);
            inode.dirty.stream().filter(block -> random.nextInt(100) < share).forEach(blocks::set);
        }
        boolean newLength = inode.seen.length >= inode.certain.length
                ? blocks.length() * BLOCK > inode.certain.length || random.nextBoolean()
                : random.nextBoolean();
        return inode.with(blocks, newLength);
    }

    static void write(Map<String, byte[]> files, Path folder) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
    }

    /** The content of a file as programs read it now. */
    byte[] seen(String name) {
        Inode inode = names.get(name);
        return inode == null ? new byte[0] : inode.seen;
    }
}
