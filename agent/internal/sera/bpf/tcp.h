/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The state of a TCP connection (RFC 9293, 3.3.2) as a node between both ends sees it: the states, their order and the
 * checks of sequence numbers are those of Linux, net/netfilter/nf_conntrack_proto_tcp.c with its default settings, which
 * tests run beside it (conntrack_peer_test.go).
 *
 *   SYN_SENT ── SYN ACK ──> SYN_RECV ── ACK ──> OPEN ── FIN ──> FIN_WAIT ── ACK ──> CLOSE_WAIT ── FIN ──> LAST_ACK ── ACK ──> TIME_WAIT
 *       └── SYN of the other end ──> SYN_SENT2          any state ── RST ──> CLOSE
 */
#ifndef TCP_H
#define TCP_H

#include "flow_state.h"
#include "segment.h"

/* Bits of connection.last_flags besides those of stream.flags. */
#define CHALLENGES 64     /* the last SYN may be answered by an ACK that acknowledges no FIN (RFC 5961, 4) */
#define SIMULTANEOUS 128  /* both ends have sent a SYN (RFC 9293, 3.5) */

#define MOST_REPEATED 3
#define LEAST_ACK_WINDOW 66000

/* A segment that does not fit: the ends may be in step without the firewall, so it passes without effect. */
#define IGNORED 64
#define REFUSED 128

/*
 * The state after a segment, by its sender (the end that opened the connection, the other end), by its kind, by the state
 * before: OPEN, TIME_WAIT, CLOSE, SYN_SENT, SYN_RECV, -, FIN_WAIT, CLOSE_WAIT, LAST_ACK, SYN_SENT2.
 */
static const __u8 next_states[2][KINDS][FLOW_STATES] = {
	{
		{ IGNORED, FLOW_NEW, FLOW_NEW, FLOW_NEW, IGNORED, REFUSED, IGNORED, IGNORED, IGNORED, FLOW_SYN_SENT2 },
		{ REFUSED, REFUSED, REFUSED, REFUSED, FLOW_ANSWERED, REFUSED, REFUSED, REFUSED, REFUSED, FLOW_ANSWERED },
		{ FLOW_FIN_WAIT, FLOW_TIME_WAIT, FLOW_CLOSE, REFUSED, FLOW_FIN_WAIT, REFUSED, FLOW_LAST_ACK, FLOW_LAST_ACK, FLOW_LAST_ACK, REFUSED },
		{ FLOW_OPEN, FLOW_TIME_WAIT, FLOW_CLOSE, REFUSED, FLOW_OPEN, REFUSED, FLOW_CLOSE_WAIT, FLOW_CLOSE_WAIT, FLOW_TIME_WAIT, REFUSED },
		{ FLOW_CLOSE, FLOW_CLOSE, FLOW_CLOSE, FLOW_CLOSE, FLOW_CLOSE, REFUSED, FLOW_CLOSE, FLOW_CLOSE, FLOW_CLOSE, FLOW_CLOSE },
	},
	{
		{ REFUSED, FLOW_NEW, REFUSED, FLOW_SYN_SENT2, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, FLOW_SYN_SENT2 },
		{ IGNORED, IGNORED, IGNORED, FLOW_ANSWERED, IGNORED, REFUSED, IGNORED, IGNORED, IGNORED, FLOW_ANSWERED },
		{ FLOW_FIN_WAIT, FLOW_TIME_WAIT, FLOW_CLOSE, REFUSED, FLOW_FIN_WAIT, REFUSED, FLOW_LAST_ACK, FLOW_LAST_ACK, FLOW_LAST_ACK, REFUSED },
		{ FLOW_OPEN, FLOW_TIME_WAIT, FLOW_CLOSE, IGNORED, FLOW_ANSWERED, REFUSED, FLOW_CLOSE_WAIT, FLOW_CLOSE_WAIT, FLOW_TIME_WAIT, IGNORED },
		{ FLOW_CLOSE, FLOW_CLOSE, FLOW_CLOSE, FLOW_CLOSE, FLOW_CLOSE, REFUSED, FLOW_CLOSE, FLOW_CLOSE, FLOW_CLOSE, FLOW_CLOSE },
	},
};

static __always_inline void take_options(struct stream *of, const struct segment *s)
{
	if (!s->has_options)
		return;
	of->scale = s->scale;
	of->flags = (of->flags & LIBERAL) | s->options;
}

/* The first segment of an end that has a SYN. Windows are scaled only if both ends do (RFC 7323, 2.2). */
static __always_inline void begin_stream(struct stream *sender, struct stream *receiver, const struct segment *s, int answers)
{
	sender->end = sender->max_end = s->end;
	sender->max_win = s->win ?: 1;
	take_options(sender, s);
	if (answers && !(sender->flags & receiver->flags & SCALES))
		sender->scale = receiver->scale = 0;
}

/* An end whose earlier segments were not seen. */
static __always_inline void join_stream(struct stream *sender, struct stream *receiver, const struct segment *s, __u32 sack)
{
	__u32 win = (__u32)s->win << (sender->scale & 15);

	sender->end = s->end;
	sender->max_win = win ?: 1;
	sender->max_end = s->end + sender->max_win;
	if (!receiver->max_win)
		receiver->end = receiver->max_end = sack;
	else if (sack == receiver->end + 1) /* an answer to a keep-alive (RFC 9293, 3.8.4) */
		receiver->end++;
}

static __always_inline __u32 ack_window(const struct stream *sender)
{
	return sender->max_win > LEAST_ACK_WINDOW ? sender->max_win : LEAST_ACK_WINDOW;
}

/* Updates both streams by a segment inside of the windows. */
static __always_inline void move_window(struct connection *c, struct stream *sender, struct stream *receiver, const struct segment *s,
					__u32 ack, __u32 sack, __u32 end, int by, int is_syn)
{
	__u32 win = s->win, offered;

	if (!is_syn)
		win <<= sender->scale & 15;
	offered = win + (sack - ack);
	if (sender->max_win < offered)
		sender->max_win = offered;
	if (after(end, sender->end)) {
		sender->end = end;
		sender->flags |= UNACKNOWLEDGED;
	}
	if (s->has_ack && (!(sender->flags & HAS_MAX_ACK) || after(ack, sender->max_ack))) {
		sender->max_ack = ack;
		sender->flags |= HAS_MAX_ACK;
	}
	if (receiver->max_win && after(end, sender->max_end))
		receiver->max_win += end - sender->max_end;
	if (after(sack + win, receiver->max_end - 1))
		receiver->max_end = sack + win + !win;
	if (ack == receiver->end)
		receiver->flags &= ~UNACKNOWLEDGED;
	if (s->kind != KIND_ACK)
		return;
	if (c->last_end_of == by && c->last_seq == s->seq && c->last_ack == ack && c->last_end == end && c->last_win == s->win) {
		c->repeated += c->repeated < 255;
		return;
	}
	c->last_end_of = by;
	c->last_seq = s->seq;
	c->last_ack = ack;
	c->last_end = end;
	c->last_win = s->win;
	c->repeated = 0;
}

static __always_inline void annotate(struct connection *c, const struct segment *s, __u32 by, __u8 state)
{
	c->last_kind = s->kind;
	c->last_end_of = by;
	c->last_passed_by = 1;
	c->last_seq = s->seq;
	c->last_end = s->end;
	c->last_win = s->win;
	if (s->kind == KIND_SYN && !by) {
		c->last_flags = s->options | (state == FLOW_LAST_ACK ? CHALLENGES : 0);
		c->last_scale = s->scale;
	}
	if (state == FLOW_NEW && s->kind == KIND_ACK && by)
		c->last_ack = s->ack;
}

/*
 * The place of a segment and the windows: 0 inside, or REFUSED, or IGNORED for one that is late. The bounds are those of van
 * Rooij, "Real Stateful TCP Packet Filtering in IP Filter" (SANE 2000), with selective acknowledgments. State 255 is none.
 */
__noinline int check_window(struct connection *c, const struct segment *s, __u32 by, __u32 state)
{
	struct stream *sender, *receiver;
	__u32 seq, ack, end, sack;
	int is_syn, liberal;

	if (!c || !s)
		return REFUSED;
	by &= 1;
	sender = &c->of[by];
	receiver = &c->of[!by];
	is_syn = s->kind == KIND_SYN || s->kind == KIND_SYN_ACK;
	seq = s->seq;
	ack = s->ack;
	end = s->end;
	sack = receiver->flags & SACK_PERMITTED ? s->sack : ack;
	if (!sender->max_win && !is_syn) {
		join_stream(sender, receiver, s, sack);
	} else if (!sender->max_win) {
		begin_stream(sender, receiver, s, by);
		if (s->kind == KIND_SYN)
			return 0;
	} else if (is_syn && after(end, sender->end) && (state == FLOW_NEW || state == FLOW_ANSWERED)) {
		begin_stream(sender, receiver, s, by); /* another attempt with other numbers (RFC 9293, 3.4.3) */
		if (by && s->kind == KIND_SYN)
			return 0;
	} else if (!by && s->kind == KIND_SYN && before(end, sender->end) && (state == FLOW_NEW || state == FLOW_ANSWERED)) {
		annotate(c, s, by, state); /* an old one, or one of another attempt */
		return IGNORED;
	}
	if (!s->has_ack || (s->kind == KIND_RST && !ack))
		ack = sack = receiver->end;
	if (s->kind == KIND_RST && !seq && state == FLOW_NEW) /* it answers a SYN */
		seq = end = sender->end;
	liberal = sender->flags & LIBERAL;
	if (!before(seq, sender->max_end + 1)) {
		/* Some senders exceed the window. Their data counts as sent, so that its acknowledgment fits. */
		if (receiver->max_win && after(end, sender->end - receiver->max_win - 1) && before(sack, receiver->end + 1) &&
		    after(sack, receiver->end - ack_window(sender) - 1) && end - sender->max_end + 1 <= receiver->max_win) {
			sender->end = end;
			sender->flags |= UNACKNOWLEDGED;
			return IGNORED;
		}
		return liberal ? 0 : REFUSED;
	}
	if (!before(sack, receiver->end + 1))
		return liberal ? 0 : REFUSED;
	if ((receiver->max_win && !after(end, sender->end - receiver->max_win - 1)) || !after(sack, receiver->end - ack_window(sender) - 1))
		return liberal ? 0 : IGNORED;
	move_window(c, sender, receiver, s, ack, sack, end, by, is_syn);
	return 0;
}

static __always_inline int is_assured(const struct flow *f)
{
	return !(f->mark & UNASSURED);
}

/* The time that a connection is kept without another segment; nf_conntrack_proto_tcp.c: tcp_timeouts. */
static __always_inline __u8 patience_of(const struct flow *f, const struct connection *c, __u8 kind)
{
	if (f->state == FLOW_OPEN && (c->repeated >= MOST_REPEATED))
		return PATIENCE_SHORT;
	if (kind == KIND_RST)
		return PATIENCE_RESET;
	if (f->state == FLOW_OPEN && ((c->of[0].flags | c->of[1].flags) & UNACKNOWLEDGED || !c->last_win || f->mark & UNREPLIED))
		return PATIENCE_SHORT;
	return PATIENCE_OF_STATE;
}

/* A SYN was ignored, and its answer acknowledges it: both ends are in step, so the firewall takes their numbers. */
static __always_inline void resynchronize(struct connection *c, __u32 by)
{
	struct stream *asked = &c->of[!by], *answers = &c->of[by];

	asked->end = asked->max_end = c->last_end;
	asked->max_win = c->last_win ?: 1;
	asked->scale = c->last_scale;
	c->last_flags &= ~CHALLENGES;
	asked->flags = c->last_flags;
	answers->end = answers->max_end = answers->max_win = answers->max_ack = 0;
	answers->scale = 0;
	answers->flags &= LIBERAL;
}

/* The results for a RST: it is in order whatever its numbers; its numbers decide; it keeps the state; it fits nowhere. */
enum { RST_FITS, RST_IS_CHECKED, RST_KEEPS_STATE, RST_REFUSED };

/* RFC 5961, 3: only a RST with the next octet ends a connection; others may be answered by a challenge. */
static __always_inline int judge_rst(const struct flow *f, const struct connection *c, const struct segment *s, __u32 by)
{
	const struct stream *receiver = &c->of[!by];
	int is_open = f->state == FLOW_OPEN && is_assured(f), answer = RST_IS_CHECKED;

	if (f->state == FLOW_TIME_WAIT || f->state == FLOW_CLOSE || (f->state >= FLOW_FIN_WAIT && f->state <= FLOW_LAST_ACK))
		return RST_FITS;
	if (receiver->flags & HAS_MAX_ACK && c->last_kind != KIND_SYN) {
		if (!s->seq && !is_open)
			return answer;
		if (before(s->seq, receiver->max_ack))
			return RST_REFUSED;
		if (!is_open || s->seq == receiver->max_ack)
			return answer;
		if (c->last_kind == KIND_ACK && c->last_end_of == by && s->seq == c->last_end)
			return answer;
		answer = RST_KEEPS_STATE;
	}
	if (((!(f->mark & UNREPLIED) && c->last_kind == KIND_SYN && c->last_passed_by) || (!is_assured(f) && c->last_kind == KIND_ACK)) && s->ack == c->last_end)
		return RST_FITS;
	if (f->state == FLOW_NEW && c->last_kind == KIND_ACK && c->last_end_of && s->seq == c->last_ack)
		return RST_FITS;
	return answer;
}

/* A FIN or RST outside of the windows, twice from both ends: they have ended a connection that is out of step here. */
static __always_inline void note_refused(struct flow *f, struct connection *c, __u8 kind, __u32 by)
{
	if (!is_assured(f) || (kind != KIND_RST && kind != KIND_FIN))
		return;
	if (c->last_end_of != by && (c->last_kind == KIND_FIN || c->last_kind == KIND_RST)) {
		if (f->state == FLOW_OPEN && (f->mark & PATIENCE_BITS) == PATIENCE_OF_STATE) {
			f->seen = micros();
			f->mark = (f->mark & ~PATIENCE_BITS) | PATIENCE_SHORT;
		}
		return;
	}
	c->last_kind = kind;
	c->last_end_of = by;
}

/* Results besides those of conntrack: the connection has ended, and the segment begins another; it ends with this one. */
enum { FOLLOWED, FOLLOWED_NONE, FOLLOWED_INVALID, FOLLOWED_BEGINS, FOLLOWED_ENDS };

/* The segment is in order: it changes the state, and how long the connection is kept. */
static __always_inline int take(struct flow *f, struct connection *c, __u8 kind, __u32 by, __u8 state, __u8 next)
{
	c->last_kind = kind;
	c->last_end_of = by;
	c->last_passed_by = 0;
	f->state = next;
	if (state != next && next == FLOW_FIN_WAIT)
		c->of[by].flags |= CLOSES_FIRST;
	if (f->mark & UNREPLIED) {
		if (kind == KIND_RST)
			return FOLLOWED_ENDS;
		if (kind == KIND_SYN && state == FLOW_NEW) /* a SYN again does not prolong the attempt */
			return FOLLOWED;
	} else if (next == FLOW_OPEN && (state == FLOW_ANSWERED || state == FLOW_OPEN)) {
		f->mark &= ~UNASSURED;
	}
	f->mark = (f->mark & ~PATIENCE_BITS) | patience_of(f, c, kind);
	f->seen = micros();
	return FOLLOWED;
}

/* Moves a connection on by a segment of one end. Global, as check_window, so that the verifier walks it once. */
__noinline int follow(struct flow *f, struct connection *c, const struct segment *s, __u32 by)
{
	__u8 state, next, kind;
	int checked = 1, window;

	if (!f || !c || !s)
		return FOLLOWED_INVALID;
	by &= 1;
	state = f->state;
	kind = s->kind;
	if (state >= FLOW_STATES || kind >= KINDS)
		return FOLLOWED_INVALID;
	next = next_states[by][kind][state];
	if (next == REFUSED)
		return FOLLOWED_INVALID;
	if (next == FLOW_NEW && state != FLOW_NEW) {
		if ((c->of[0].flags | c->of[1].flags) & CLOSES_FIRST || (c->last_end_of == by && c->last_kind == KIND_RST))
			return FOLLOWED_BEGINS; /* RFC 9293, 3.6.1 */
		next = IGNORED;
	}
	if (next == IGNORED) {
		if (kind != KIND_SYN_ACK || c->last_kind != KIND_SYN || c->last_end_of == by || s->ack != c->last_end) {
			annotate(c, s, by, state);
			return FOLLOWED_NONE;
		}
		resynchronize(c, by);
		state = FLOW_NEW;
		next = FLOW_ANSWERED;
	} else if (next == FLOW_TIME_WAIT && state == FLOW_LAST_ACK && kind == KIND_ACK && c->last_end_of != by && c->last_kind == KIND_SYN &&
		   c->last_flags & CHALLENGES) {
		c->last_flags &= ~CHALLENGES;
		return FOLLOWED_NONE;
	} else if (next == FLOW_SYN_SENT2) {
		c->last_flags |= SIMULTANEOUS;
	} else if (next == FLOW_ANSWERED) {
		if (by && kind == KIND_ACK && c->last_flags & SIMULTANEOUS)
			next = FLOW_OPEN;
	} else if (kind == KIND_RST) {
		int answer = judge_rst(f, c, s, by);

		if (answer == RST_REFUSED)
			return FOLLOWED_INVALID;
		if (answer == RST_KEEPS_STATE)
			next = state;
		checked = answer != RST_FITS;
	}
	window = checked ? check_window(c, s, by, f->state) : 0;
	if (window == IGNORED)
		return FOLLOWED_NONE;
	if (window == REFUSED) {
		note_refused(f, c, kind, by);
		return FOLLOWED_INVALID;
	}
	return take(f, c, kind, by, state, next);
}

/* The connection that a segment opens: by a SYN, or from its middle on, when its numbers are taken as they come. */
static __always_inline void connect(struct flow *f, struct connection *c, const struct segment *s)
{
	struct stream *sender = &c->of[0];

	__builtin_memset(c, 0, sizeof(*c));
	sender->end = sender->max_end = s->end;
	sender->max_win = s->win ?: 1;
	if (s->kind == KIND_SYN) {
		take_options(sender, s);
	} else {
		sender->max_end += sender->max_win;
		sender->flags = c->of[1].flags = SACK_PERMITTED | LIBERAL;
	}
	c->last_kind = KIND_NONE;
	f->state = s->kind == KIND_SYN ? FLOW_NEW : FLOW_OPEN;
	f->mark = UNREPLIED | UNASSURED;
	check_window(c, s, 0, FLOW_STATES);
	c->last_kind = s->kind;
	c->last_end_of = 0;
	f->mark |= patience_of(f, c, s->kind);
}

/* A connection of a former agent, which stored no numbers. */
static __always_inline void adopt(struct connection *c)
{
	__builtin_memset(c, 0, sizeof(*c));
	c->of[0].flags = c->of[1].flags = SACK_PERMITTED | LIBERAL;
	c->last_kind = KIND_NONE;
	c->last_win = 1;
}

#endif
