/* Algorithms of <algorithm> on consecutive elements, as loops. They are more specialised than the standard library's,
   so that a call selects them. The reader passes the number of elements, `last_ - first_`, as one number. */
#ifndef PPNSIM_ALGORITHM_H
#define PPNSIM_ALGORITHM_H
namespace std {
#define PPNSIM_WITH_VALUE(result_, name_) template <class t_, class v_> result_ name_(t_ *first_, t_ *last_, const v_ &value_)
#define PPNSIM_WITH_TEST(result_, name_) template <class t_, class f_> result_ name_(t_ *first_, t_ *last_, f_ test_)
#define PPNSIM_COUNTED(test_)                                  \
    {                                                          \
        long found_ = 0;                                       \
        for (long at_ = 0; at_ < last_ - first_; at_++)         \
            if (test_) found_++;                               \
        return found_;                                         \
    }
#define PPNSIM_FOUND(test_)                                    \
    {                                                          \
        long found_ = last_ - first_;                           \
        for (long at_ = 0; at_ < last_ - first_; at_++)         \
            if (test_) {                                       \
                found_ = at_;                                  \
                break;                                         \
            }                                                  \
        return first_ + found_;                                \
    }
#define PPNSIM_ANY(test_, yes_)                                \
    {                                                          \
        bool found_ = !yes_;                                   \
        for (long at_ = 0; at_ < last_ - first_; at_++)         \
            if (test_) {                                       \
                found_ = yes_;                                 \
                break;                                         \
            }                                                  \
        return found_;                                         \
    }
PPNSIM_WITH_VALUE(long, count) PPNSIM_COUNTED(first_[at_] == value_)
PPNSIM_WITH_TEST(long, count_if) PPNSIM_COUNTED(test_(first_[at_]))
PPNSIM_WITH_VALUE(t_ *, find) PPNSIM_FOUND(first_[at_] == value_)
PPNSIM_WITH_TEST(t_ *, find_if) PPNSIM_FOUND(test_(first_[at_]))
PPNSIM_WITH_TEST(t_ *, find_if_not) PPNSIM_FOUND(!test_(first_[at_]))
PPNSIM_WITH_TEST(bool, any_of) PPNSIM_ANY(test_(first_[at_]), true)
PPNSIM_WITH_TEST(bool, none_of) PPNSIM_ANY(test_(first_[at_]), false)
PPNSIM_WITH_TEST(bool, all_of) PPNSIM_ANY(!test_(first_[at_]), false)
template <class t_, class u_> bool equal(t_ *first_, t_ *last_, u_ *other_) PPNSIM_ANY(!(first_[at_] == other_[at_]), false)
template <class t_> bool is_sorted(t_ *first_, t_ *last_) {
    bool found_ = true;
    for (long at_ = 1; at_ < last_ - first_; at_++)
        if (first_[at_] < first_[at_ - 1]) {
            found_ = false;
            break;
        }
    return found_;
}
template <class t_> void reverse(t_ *first_, t_ *last_) {
    for (long at_ = 0; at_ < (last_ - first_) / 2; at_++) {
        t_ held_ = first_[at_];
        first_[at_] = first_[last_ - first_ - 1 - at_];
        first_[last_ - first_ - 1 - at_] = held_;
    }
}
template <class t_, class u_> u_ *reverse_copy(t_ *first_, t_ *last_, u_ *result_) {
    for (long at_ = 0; at_ < last_ - first_; at_++) result_[at_] = first_[last_ - first_ - 1 - at_];
    return result_ + (last_ - first_);
}
template <class t_, class u_> u_ *swap_ranges(t_ *first_, t_ *last_, u_ *other_) {
    for (long at_ = 0; at_ < last_ - first_; at_++) {
        t_ held_ = first_[at_];
        first_[at_] = other_[at_];
        other_[at_] = held_;
    }
    return other_ + (last_ - first_);
}
template <class t_, class v_> void replace(t_ *first_, t_ *last_, const v_ &old_, const v_ &new_) {
    for (long at_ = 0; at_ < last_ - first_; at_++)
        if (first_[at_] == old_) first_[at_] = new_;
}
template <class t_, class f_, class v_> void replace_if(t_ *first_, t_ *last_, f_ test_, const v_ &new_) {
    for (long at_ = 0; at_ < last_ - first_; at_++)
        if (test_(first_[at_])) first_[at_] = new_;
}
template <class t_, class f_> void generate(t_ *first_, t_ *last_, f_ made_) {
    for (long at_ = 0; at_ < last_ - first_; at_++) first_[at_] = made_();
}
template <class t_, class u_, class f_> u_ *copy_if(t_ *first_, t_ *last_, u_ *result_, f_ test_) {
    long found_ = 0;
    for (long at_ = 0; at_ < last_ - first_; at_++)
        if (test_(first_[at_])) result_[found_++] = first_[at_];
    return result_ + found_;
}
template <class t_, class u_> u_ *partial_sum(t_ *first_, t_ *last_, u_ *result_) {
    auto total_ = first_[0];
    result_[0] = total_;
    for (long at_ = 1; at_ < last_ - first_; at_++) {
        total_ = total_ + first_[at_];
        result_[at_] = total_;
    }
    return result_ + (last_ - first_);
}
template <class t_, class u_> u_ *adjacent_difference(t_ *first_, t_ *last_, u_ *result_) {
    auto held_ = first_[0];
    result_[0] = held_;
    for (long at_ = 1; at_ < last_ - first_; at_++) {
        auto next_ = first_[at_];
        result_[at_] = next_ - held_;
        held_ = next_;
    }
    return result_ + (last_ - first_);
}
}
#endif
