// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tokens of nft's output: words, texts in quotes, and marks. Line breaks are tokens, as they end statements. */
final class NftTokens {
    /** The end of a statement. */
    static final String END = "\n";

    private static final Pattern TOKEN =
            Pattern.compile("\"([^\"\n]*)\"?|#[^\n]*|\\\\\n|\n|;|[{}(),|&]|[=!<>]=?|[^\\s\"{}(),;|&=!<>#]+");

    /** @param quoted true if it was in quotes: then it is no keyword and no mark */
    record Token(int line, String text, boolean quoted) {
        boolean is(String mark) {
            return !quoted && text.equals(mark);
        }
    }

    private final List<Token> tokens = new ArrayList<>();
    private int at;

    NftTokens(String text) {
        Matcher matcher = TOKEN.matcher(text);
        int line = 1;
        while (matcher.find()) {
            String found = matcher.group();
            if (found.equals(";") || found.equals(END)) {
                tokens.add(new Token(line, END, false));
            } else if (found.startsWith("\"")) {
                tokens.add(new Token(line, matcher.group(1), true));
            } else if (!found.startsWith("#") && !found.startsWith("\\")) {
                tokens.add(new Token(line, found, false));
            }
            line += found.endsWith(END) ? 1 : 0;
        }
    }

    boolean more() {
        return at < tokens.size();
    }

    /** The next token, which remains; the end of a statement after the last. */
    Token peek() {
        return more()
                ? tokens.get(at)
                : new Token(tokens.isEmpty() ? 1 : tokens.get(tokens.size() - 1).line(), END, false);
    }

    Token next() {
        Token token = peek();
        at++;
        return token;
    }

    boolean take(String mark) {
        boolean taken = more() && peek().is(mark);
        at += taken ? 1 : 0;
        return taken;
    }

    /** Removes and returns the tokens up to the end of the statement, blocks in braces included. */
    List<Token> statement() {
        List<Token> statement = new ArrayList<>();
        int depth = 0;
        while (more()) {
            Token token = peek();
            if (depth == 0 && (token.is(END) || token.is("}"))) {
                take(END);
                break;
            }
            depth += token.is("{") ? 1 : token.is("}") ? -1 : 0;
            if (!token.is(END)) {
                statement.add(token);
            }
            at++;
        }
        return statement;
    }

    /** Skips a block whose opening brace is next. */
    void block() {
        int depth = 0;
        do {
            Token token = next();
            depth += token.is("{") ? 1 : token.is("}") ? -1 : 0;
        } while (depth > 0 && more());
    }

    void blank() {
        while (more() && peek().is(END)) {
            at++;
        }
    }
}
