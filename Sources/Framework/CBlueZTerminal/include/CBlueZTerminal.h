#ifndef CTERMINAL_H
#define CTERMINAL_H

/// Functions for a terminal, its signals and its programs. Except for `terminal_link` and `child_start`, none takes a
/// pointer, so Swift needs no `unsafe` for them.

struct terminal_size {
    int columns;
    int rows;
};

/// Returns the size of the terminal behind a descriptor, or zeros if it is not a terminal.
struct terminal_size terminal_size_of(int descriptor);

/// Writes each line that is printed at once, also to a pipe or a file. Call it before anything is printed.
void terminal_buffer_lines(void);

/// Shows the alternate screen, without a cursor, on `output` and, if `input` is a terminal, reads its keys one by one
/// without an echo. `terminal_end` is called automatically when the program exits, and before a signal such as SIGQUIT
/// or SIGABRT ends it. Returns 0, or an errno value.
int terminal_begin(int input, int output);

/// Reads the keys of the terminal `input` one by one, without an echo, including those that otherwise send signals. The
/// mode for output does not change. `terminal_end` ends this too. Returns 0, or an errno value.
int terminal_begin_raw(int input);

/// Restores the terminal. Does nothing if it was not changed. Safe in signal handlers.
void terminal_end(void);

/// Returns the next key that was pressed, or -1. Call it only between `terminal_begin` and `terminal_end`.
int terminal_read_byte(void);

/// Creates a symbolic link, which is removed when the program ends, if not before. There can be one at a time. An
/// existing file at `path` is never replaced. Returns 0, or an errno value, such as EEXIST if the path exists.
int terminal_link(const char *target, const char *path);

/// Removes the link of `terminal_link`, unless another program has replaced it. Safe in signal handlers.
void terminal_unlink(void);

/// Restores the terminal, and ends the program by a fatal signal, so that its parent sees which. Does not return.
void terminal_die_of(int number) __attribute__((noreturn));

/// Makes `terminal_next_signal` return SIGINT, SIGTERM and SIGHUP, which then no longer end the program. A signal that
/// was ignored stays ignored: SIGHUP under nohup, and SIGINT in a script's background job, for which Ctrl-C is not
/// meant. SIGPIPE is ignored. Returns a descriptor that is readable while a signal waits, or -1 with errno set.
int terminal_watch_signals(void);

/// Returns the next signal that arrived, or 0 if there is none.
int terminal_next_signal(void);

/// Returns whether the kernel sent the last signal of `terminal_next_signal`, as a terminal does for Ctrl-C: to all
/// programs in the foreground.
int terminal_signal_reached_group(void);

/// Waits until a signal has arrived.
void terminal_wait_for_signal(void);

/// The suffix of a companion program's name.
enum terminal_companion {
    /// "-web"
    terminal_companion_web,
    /// "-gateway"
    terminal_companion_gateway,
    /// "-fleet"
    terminal_companion_fleet,
};

/// Replaces this program with the one that has its name and the companion's suffix, and passes it the arguments except
/// the first `dropped`. It is searched for in this program's directory, then on the PATH. Returns only if that fails:
/// an errno value.
int terminal_become_companion(enum terminal_companion companion, int dropped);

/// Starts a program, which is searched for on the PATH, with this program's standard input, output and error, and with
/// `setting`, such as "NAME=value", in its environment. No signal is blocked in it, and those that this program handles
/// have their default effect. `words` ends with NULL. Returns its process ID, or a negative errno value.
int child_start(char *const words[], const char *setting);

/// Returns a descriptor that is readable when a child has ended, or -1 with errno set. It needs Linux 5.3.
int child_watch(int process);

/// Creates a pseudo-terminal that passes bytes unchanged, without an echo, and that only this user can open (mode
/// 0600). There can be one at a time. Returns 0, or an errno value.
int pseudo_terminal_open(void);

/// Returns this program's end of the pseudo-terminal, or -1 if there is none. Reading and writing do not wait.
int pseudo_terminal_leader(void);

/// Returns a descriptor that is readable when a program has opened or closed the other end, or -1 if the system has
/// none left.
int pseudo_terminal_watch(void);

/// Returns the number of the other end, whose path is /dev/pts/ followed by the number.
int pseudo_terminal_number(void);

/// Returns whether a program has the other end open. Clears the events of `pseudo_terminal_watch`.
int pseudo_terminal_is_used(void);

/// Resets what a program has set: bytes pass unchanged, any program of the user can open the other end, and unread
/// bytes are discarded.
void pseudo_terminal_reset(void);

/// Closes the pseudo-terminal. Programs that use it see a hang-up.
void pseudo_terminal_close(void);

#endif
