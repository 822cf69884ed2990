/* Runs the tasks of a dataflow region as coroutines; a simulator outside decides which one goes on, and when.
 *
 * The protocol: numbers of 32 bits on two pipes. To the simulator go events of four numbers (code, task, a, b); an
 * event that needs an answer ends a message. From it come answers of two numbers: the task that goes on, and a value.
 */
#ifndef PPNSIM_NATIVE_H
#define PPNSIM_NATIVE_H
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <tuple>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace hls {
template <typename t_, int depth_> class stream;
}

namespace ppnsim {
/* Exit codes: a broken pipe, an empty stream, an hls::task twice in a call, other ones in a later call. */
enum Exit { BROKEN = 70, EMPTIED, TWICE, OTHERS };
enum Code : int32_t {
    TASK = 1, NAME, JOIN, END, ENTER, STEP, EXIT, LEAVE, WRITE, CALL, RETURN,
    GROUP, GROUPED,
    READ = 32, WRITE_NB, READ_NB, EMPTY, FULL, SIZE
};
struct Site {
    int id = -1;
};
struct Event {
    int32_t code, task, a, b;
};
struct Answer {
    int32_t task, value;
};
/* An hls::task: the number of its call, and that of the loop that its rounds are. */
struct Endless {
    int call, loop;
};
struct Task {
    std::function<void()> body;
    ucontext_t context;
    bool ended = false;
    int endless = -1;                /* the number of the call of an hls::task */
    std::vector<const void *> given; /* and its streams */
    std::vector<int> calling; /* calls whose arguments are being evaluated */
};

/* A region in a region: its function stays open, with its streams, until all tasks have ended. */
struct Group {
    std::function<void()> body;
    ucontext_t context, opener;
};
struct Region {
    std::vector<Event> buffer;
    std::vector<std::unique_ptr<Task>> tasks;
    std::deque<std::unique_ptr<Task>> kept; /* tasks without an end, which wait for the next call of the region */
    std::vector<std::unique_ptr<Group>> groups;
    std::vector<Group *> opening;
    ucontext_t outside;
    int current = -1;
    int out = -1, in = -1;
    int streams = 0;
    int calls = 0; /* of the region, that have ended */
    Answer answer{};

    Region() {
        if (const char *text = std::getenv("PPNSIM_PIPES")) std::sscanf(text, "%d,%d", &out, &in);
    }
    void add(int32_t code, int32_t a, int32_t b) {
        buffer.push_back({code, current, a, b});
        if (buffer.size() >= 4096) flush();
    }
    void flush() {
        const char *at = reinterpret_cast<const char *>(buffer.data());
        size_t left = buffer.size() * sizeof(Event);
        while (left) {
            ssize_t done = ::write(out, at, left);
            if (done <= 0) std::_Exit(BROKEN);
            at += done, left -= done;
        }
        buffer.clear();
    }
    void listen() {
        std::fflush(stdout);
        flush();
        char *at = reinterpret_cast<char *>(&answer);
        size_t left = sizeof answer;
        while (left) {
            ssize_t done = ::read(in, at, left);
            if (done <= 0) std::_Exit(BROKEN);
            at += done, left -= done;
        }
    }
    /* Called in a task: gives the turn back, and returns the answer when it is this task's turn again. */
    int32_t ask(int32_t code, int32_t a, int32_t b) {
        add(code, a, b);
        int own = current;
        swapcontext(&tasks[own]->context, &outside);
        return answer.value;
    }
};
inline Region &region() {
    static Region one;
    return one;
}
inline bool inside() { return region().current >= 0; }

inline void entry() {
    Region &r = region();
    Task &task = *r.tasks[r.current];
    task.body();
    task.ended = true;
    r.add(END, 0, 0);
    swapcontext(&task.context, &r.outside);
}
const size_t STACK = size_t(64) << 20;

inline void prepare(ucontext_t &context, void (*run)()) {
    getcontext(&context);
    context.uc_stack.ss_sp =
        mmap(nullptr, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    context.uc_stack.ss_size = STACK;
    context.uc_link = nullptr;
    makecontext(&context, run, 0);
}
template <typename body_t> void task(int id, body_t body) {
    Region &r = region();
    if (inside()) {
        body();
        return;
    }
    r.tasks.push_back(std::make_unique<Task>());
    Task &made = *r.tasks.back();
    made.body = body;
    prepare(made.context, entry);
    r.add(TASK, int(r.tasks.size()) - 1, id);
}
inline void enter(int loop) { if (inside()) region().add(ENTER, loop, 0); }
inline void step(int loop) { if (inside()) region().add(STEP, loop, 0); }
/* Says which stream the argument of a task is, and how many tokens it has at the start; other arguments say nothing. */
template <typename t_> void name(const t_ &, int) {}
template <typename t_> void name(const hls::stream<t_, 0> &stream, int argument);
template <typename t_> const void *stream_of(const t_ &) { return nullptr; }
template <typename t_> const void *stream_of(const hls::stream<t_, 0> &stream);
template <typename t_, int depth_> const void *stream_of(const hls::stream<t_, depth_> &stream);
template <typename t_, int depth_> void name(const hls::stream<t_, depth_> &stream, int argument);
template <typename t_, size_t n_> const void *stream_of(const t_ (&streams)[n_]) { return stream_of(streams[0]); }
template <typename t_, size_t n_> void name(const t_ (&streams)[n_], int argument) {
    for (const t_ &each : streams) name(each, argument);
}
/* Starts an hls::task, or lets that of an earlier call of the region go on; the code keeps what it makes by reference. */
template <typename... p_, typename... t_> void endless(Endless at, void (*function)(p_...), t_ &...arguments) {
    Region &r = region();
    std::vector<const void *> given{stream_of(arguments)...};
    for (auto &each : r.tasks)
        if (each->endless == at.call && each->given == given) std::_Exit(TWICE);
    if (r.calls && r.kept.empty()) std::_Exit(OTHERS);
    if (r.kept.empty()) {
        r.tasks.push_back(std::make_unique<Task>());
        Task &made = *r.tasks.back();
        made.endless = at.call, made.given = given;
        std::tuple<p_...> held(arguments...);
        made.body = [at, function, held]() mutable {
            enter(at.loop);
            for (;;) {
                step(at.loop);
                std::apply(function, held);
            }
        };
        prepare(made.context, entry);
    } else {
        if (r.kept.front()->endless != at.call || r.kept.front()->given != given) std::_Exit(OTHERS);
        r.tasks.push_back(std::move(r.kept.front()));
        r.kept.pop_front();
    }
    r.add(TASK, int(r.tasks.size()) - 1, at.call);
    int argument = 0;
    (name(arguments, argument++), ...);
}
inline void group_entry() {
    Region &r = region();
    Group &own = *r.opening.back();
    own.body();
    swapcontext(&own.context, &own.opener);
}
inline void group(int id) { region().add(GROUP, 0, id); }
template <typename body_t> void grouped(body_t body) {
    Region &r = region();
    r.groups.push_back(std::make_unique<Group>());
    Group *made = r.groups.back().get();
    made->body = body;
    prepare(made->context, group_entry);
    r.opening.push_back(made);
    swapcontext(&made->opener, &made->context);
    r.opening.pop_back();
    r.add(GROUPED, 0, 0);
}
/* Runs all tasks of the region until they have ended; of a region in a region, waits for that. */
inline void join() {
    Region &r = region();
    if (!r.opening.empty()) {
        Group &own = *r.opening.back();
        swapcontext(&own.context, &own.opener);
        return;
    }
    if (inside() || r.tasks.empty()) return;
    if (!r.kept.empty()) std::_Exit(OTHERS);
    r.add(JOIN, int(r.tasks.size()), 0);
    for (;;) {
        r.listen();
        if (r.answer.task < 0) break;
        r.current = r.answer.task;
        swapcontext(&r.outside, &r.tasks[r.current]->context);
        r.current = -1;
    }
    for (auto &each : r.tasks) {
        if (each->endless >= 0) r.kept.push_back(std::move(each));
        else munmap(each->context.uc_stack.ss_sp, STACK);
    }
    r.tasks.clear();
    r.calls++;
    while (!r.groups.empty()) {
        std::unique_ptr<Group> last = std::move(r.groups.back());
        r.groups.pop_back();
        swapcontext(&last->opener, &last->context);
        munmap(last->context.uc_stack.ss_sp, STACK);
    }
}
/* Joins the tasks at the end of the region, wherever that is. */
struct Joined {
    ~Joined() { join(); }
};
inline bool held(int loop, bool condition) {
    if (!condition && inside()) region().add(EXIT, loop, 0);
    return condition;
}
inline void calling(int call) {
    if (inside()) region().tasks[region().current]->calling.push_back(call);
}
/* In the body of a function: says from where it is called, and when it returns. */
struct Called {
    bool told = false;
    Called() {
        if (!inside()) return;
        auto &open = region().tasks[region().current]->calling;
        if (open.empty()) return;
        region().add(CALL, open.back(), 0);
        open.pop_back();
        told = true;
    }
    ~Called() { if (told) region().add(RETURN, 0, 0); }
};
struct Leaving {
    int loop;
    explicit Leaving(int loop_) : loop(loop_) { enter(loop); }
    ~Leaving() { if (inside()) region().add(LEAVE, loop, 0); }
};
}
#endif
