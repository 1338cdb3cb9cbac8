#ifndef CTERMINAL_H
#define CTERMINAL_H

/// What a program does with a terminal and its signals; but for `terminal_link`, without a pointer: Swift needs no `unsafe`
/// for it.

struct terminal_size {
    int columns;
    int rows;
};

/// The size of the terminal behind a descriptor; zeros if there is none.
struct terminal_size terminal_size_of(int descriptor);

/// Takes the screen: the alternate screen without a cursor on `output` and, if `input` is a terminal, keys one by one
/// without an echo. `terminal_end` is called automatically when the program exits, and before it dies of a signal such
/// as SIGQUIT or SIGABRT. Returns 0, or an errno value.
int terminal_begin(int input, int output);

/// Gives the keys of the terminal `input` to the program one by one, without an echo and with those that send signals
/// otherwise. Output stays as it is. `terminal_end` ends it as well. Returns 0, or an errno value.
int terminal_begin_raw(int input);

/// Gives the screen back as it was. Does nothing if it was not taken. Safe in signal handlers.
void terminal_end(void);

/// The next key that was pressed, or -1. Only between `terminal_begin` and `terminal_end`.
int terminal_read_byte(void);

/// Makes a symbolic link that is removed at the latest when the program ends; one at a time. What stands at `path` is never
/// replaced. Returns 0, or an errno value: EEXIST if something stands there.
int terminal_link(const char *target, const char *path);

/// Removes the link of `terminal_link`, unless it is another's by now. Safe in signal handlers.
void terminal_unlink(void);

/// Gives the screen back and ends the program by a deadly signal, so that its parent sees which. Does not return.
void terminal_die_of(int number) __attribute__((noreturn));

/// From now on SIGINT, SIGTERM and SIGHUP do not end the program; `terminal_next_signal` returns them. One that was ignored
/// stays so: SIGHUP under nohup, and SIGINT in what a script runs in the background, which Ctrl-C is not meant for. SIGPIPE
/// is ignored. Returns a descriptor that is readable while a signal waits, or -1 with errno set.
int terminal_watch_signals(void);

/// The next signal that arrived, or 0.
int terminal_next_signal(void);

/// Waits until a signal has arrived.
void terminal_wait_for_signal(void);

/// What stands behind the name of this program in the name of another.
enum terminal_companion {
    /// "-web"
    terminal_companion_web,
    /// "-gateway"
    terminal_companion_gateway,
    /// "-fleet"
    terminal_companion_fleet,
};

/// Becomes the program that has this one's name and the companion's suffix, with the arguments of this one but for the first
/// `dropped`. It is looked for beside this program, then on the PATH. Returns only if that fails: an errno value.
int terminal_become_companion(enum terminal_companion companion, int dropped);

/// Makes a pseudo-terminal that passes bytes as they are, without an echo, and that only this user can open (mode 0600); one
/// at a time. Returns 0, or an errno value.
int pseudo_terminal_open(void);

/// Its end of this program; reading and writing do not wait. -1 if there is none.
int pseudo_terminal_leader(void);

/// A descriptor that is readable when a program has opened or closed the other end; -1 if the system has none left.
int pseudo_terminal_watch(void);

/// The path of the other end is /dev/pts/ and this number.
int pseudo_terminal_number(void);

/// Whether a program has the other end open. Takes what `pseudo_terminal_watch` tells.
int pseudo_terminal_is_used(void);

/// Undoes what a program has set: bytes pass as they are, any program of the user can open the other end, and what was not
/// read is forgotten.
void pseudo_terminal_reset(void);

/// Ends it; programs that use it see a hang-up.
void pseudo_terminal_close(void);

#endif
