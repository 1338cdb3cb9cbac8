#ifndef CTERMINAL_H
#define CTERMINAL_H

/// What a program does with a terminal and its signals, without a pointer: Swift needs no `unsafe` for it.

struct terminal_size {
    int columns;
    int rows;
};

/// The size of the terminal behind a descriptor; zeros where there is none.
struct terminal_size terminal_size_of(int descriptor);

/// Takes the screen: the alternate screen without a cursor on `output` and, where `input` is a terminal, keys one by one
/// without an echo. `terminal_end` is called by itself when the program exits, and before it dies of a signal such as
/// SIGQUIT or SIGABRT. Returns 0, or an errno value.
int terminal_begin(int input, int output);

/// Gives the screen back as it was. Does nothing where it was not taken. Safe in signal handlers.
void terminal_end(void);

/// The next key that has been pressed already, or -1. Only between `terminal_begin` and `terminal_end`.
int terminal_read_byte(void);

/// Gives the screen back and ends the program by a deadly signal, so that its parent sees which. Does not return.
void terminal_die_of(int number) __attribute__((noreturn));

/// From now on SIGINT, SIGTERM and SIGHUP do not end the program but are told by `terminal_next_signal`; SIGHUP only where
/// nobody, nohup for one, has said that the program shall live on when its terminal goes. SIGPIPE is ignored. Returns a
/// descriptor that is readable when there is one to tell, or -1 with errno set.
int terminal_watch_signals(void);

/// The next signal that came, or 0.
int terminal_next_signal(void);

/// Waits until there is a signal to tell.
void terminal_wait_for_signal(void);

/// Becomes the program that stands beside this one and has "-web" behind its name, with the arguments of this one but for
/// the first `dropped`. Returns only if that fails: an errno value.
int terminal_become_web_program(int dropped);

#endif
