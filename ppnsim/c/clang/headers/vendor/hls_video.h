/* The vendor's line buffer and window (UG902, "HLS Video Library"), for reading kernels without its headers. */
#ifndef PPNSIM_HLS_VIDEO_H
#define PPNSIM_HLS_VIDEO_H
#include "ap_int.h"
#include "hls_stream.h"
namespace hls {
/* Each element is a register, and each method takes one cycle: (row, column) is (0, 0) at the top on the left. */
template <int rows_, int cols_, typename t_> class Window {
  public:
    t_ val[rows_][cols_];
    t_ &getval(int row_, int col_) {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=0
        return val[row_][col_];
    }
    t_ &operator()(int row_, int col_) {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=0
        return val[row_][col_];
    }
    void insert_pixel(t_ value_, int row_, int col_) {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=0
        val[row_][col_] = value_;
    }
    void insert(t_ value_, int row_, int col_) {
#pragma HLS inline
        insert_pixel(value_, row_, col_);
    }
    void shift_pixels_left() {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=0
        for (int r_ = 0; r_ < rows_; r_++) {
#pragma HLS unroll
            for (int c_ = 0; c_ < cols_ - 1; c_++) {
#pragma HLS unroll
                val[r_][c_] = val[r_][c_ + 1];
            }
        }
    }
    void shift_pixels_right() {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=0
        for (int r_ = 0; r_ < rows_; r_++) {
#pragma HLS unroll
            for (int c_ = cols_ - 1; c_ > 0; c_--) {
#pragma HLS unroll
                val[r_][c_] = val[r_][c_ - 1];
            }
        }
    }
    void shift_pixels_up() {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=0
        for (int r_ = 0; r_ < rows_ - 1; r_++) {
#pragma HLS unroll
            for (int c_ = 0; c_ < cols_; c_++) {
#pragma HLS unroll
                val[r_][c_] = val[r_ + 1][c_];
            }
        }
    }
    void shift_pixels_down() {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=0
        for (int r_ = rows_ - 1; r_ > 0; r_--) {
#pragma HLS unroll
            for (int c_ = 0; c_ < cols_; c_++) {
#pragma HLS unroll
                val[r_][c_] = val[r_ - 1][c_];
            }
        }
    }
    void shift_left() {
#pragma HLS inline
        shift_pixels_left();
    }
    void shift_right() {
#pragma HLS inline
        shift_pixels_right();
    }
    void shift_up() {
#pragma HLS inline
        shift_pixels_up();
    }
    void shift_down() {
#pragma HLS inline
        shift_pixels_down();
    }
    void insert_row(t_ value_[cols_], int row_) {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=0
        for (int c_ = 0; c_ < cols_; c_++) {
#pragma HLS unroll
            val[row_][c_] = value_[c_];
        }
    }
    void insert_col(t_ value_[rows_], int col_) {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=0
        for (int r_ = 0; r_ < rows_; r_++) {
#pragma HLS unroll
            val[r_][col_] = value_[r_];
        }
    }
    void insert_top(t_ value_[cols_]) {
#pragma HLS inline
        insert_row(value_, 0);
    }
    void insert_bottom(t_ value_[cols_]) {
#pragma HLS inline
        insert_row(value_, rows_ - 1);
    }
    void insert_left(t_ value_[rows_]) {
#pragma HLS inline
        insert_col(value_, 0);
    }
    void insert_right(t_ value_[rows_]) {
#pragma HLS inline
        insert_col(value_, cols_ - 1);
    }
};
/* Each row is a memory; a method works on the elements of one column. */
template <int rows_, int cols_, typename t_> class LineBuffer {
  public:
    t_ val[rows_][cols_];
    t_ &getval(int row_, int col_) {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=1
        return val[row_][col_];
    }
    t_ &operator()(int row_, int col_) {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=1
        return val[row_][col_];
    }
    void get_col(t_ value_[rows_], int col_) {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=1
        for (int r_ = 0; r_ < rows_; r_++) {
#pragma HLS unroll
            value_[r_] = val[r_][col_];
        }
    }
    void shift_pixels_up(int col_) {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=1
        for (int r_ = 0; r_ < rows_ - 1; r_++) {
#pragma HLS unroll
            val[r_][col_] = val[r_ + 1][col_];
        }
    }
    void shift_pixels_down(int col_) {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=1
        for (int r_ = rows_ - 1; r_ > 0; r_--) {
#pragma HLS unroll
            val[r_][col_] = val[r_ - 1][col_];
        }
    }
    void shift_up(int col_) {
#pragma HLS inline
        shift_pixels_up(col_);
    }
    void shift_down(int col_) {
#pragma HLS inline
        shift_pixels_down(col_);
    }
    void insert_bottom_row(t_ value_, int col_) {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=1
        val[rows_ - 1][col_] = value_;
    }
    void insert_top_row(t_ value_, int col_) {
#pragma HLS inline
#pragma HLS array_partition variable=val complete dim=1
        val[0][col_] = value_;
    }
    void insert_bottom(t_ value_, int col_) {
#pragma HLS inline
        insert_bottom_row(value_, col_);
    }
    void insert_top(t_ value_, int col_) {
#pragma HLS inline
        insert_top_row(value_, col_);
    }
};
} // namespace hls
#endif
