// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.mvstore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

/** Reads the store file of the former release, an H2 MVStore. Changes nothing in it. */
public final class MvStoreReader {

    private MvStoreReader() {}

    /**
     * All maps of the file.
     *
     * @throws IOException if it is in use, damaged, or older than the version that the file beside it
     *     ({@code sextant.mv.version}) records: a store that lost its end opens without an error
     */
    public static SortedMap<String, SortedMap<String, String>> read(Path file) throws IOException {
        if (Files.size(file) == 0) {
            throw damaged(file, "it is empty", null);
        }
        MVStore store;
        try {
            store = new MVStore.Builder().fileName(file.toString()).readOnly().open();
        } catch (MVStoreException e) {
            throw e.getErrorCode() == DataUtils.ERROR_FILE_LOCKED
                    ? new IOException("the store " + file + " is in use by another process; stop it", e)
                    : damaged(file, String.valueOf(e.getMessage()), e);
        }
        try {
            long version = store.getCurrentVersion();
            long reached = reached(file);
            if (reached > version) {
                throw damaged(file, "it holds version " + version + " and once held " + reached, null);
            }
            SortedMap<String, SortedMap<String, String>> maps = new TreeMap<>();
            for (String name : store.getMapNames()) {
                maps.put(name, new TreeMap<>(store.<String, String>openMap(name)));
            }
            return maps;
        } catch (MVStoreException e) {
            throw damaged(file, String.valueOf(e.getMessage()), e);
        } finally {
            store.closeImmediately();
        }
    }

    private static long reached(Path file) throws IOException {
        Path mark = file.resolveSibling(file.getFileName() + ".version");
        String text = Files.exists(mark) ? Files.readString(mark).trim() : "";
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    private static IOException damaged(Path file, String fault, @org.jspecify.annotations.Nullable Exception cause) {
        return new IOException(
                "the store " + file + " of the former release is damaged (" + fault
                        + ") and was not taken over; put a backup in its place, or move it away to start empty",
                cause);
    }
}
