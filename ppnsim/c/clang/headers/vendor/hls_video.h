/* Line buffer and window of the vendor's video library (UG902), for reading kernels without the vendor's headers. */
#ifndef PPNSIM_HLS_VIDEO_H
#define PPNSIM_HLS_VIDEO_H
#include "ap_axi_sdata.h"
#include "ap_fixed.h"
#include "ap_int.h"
#include "hls_math.h"
#include "hls_stream.h"
namespace hls {
/* All pixels are registers. Old names of a method stand behind it. */
template <int rows_, int cols_, typename t_> class Window {
  public:
    t_ val[rows_][cols_];
    Window() {
#pragma HLS array_partition variable=val complete dim=0
    }
    void shift_pixels_left() {
        for (int row_ = 0; row_ < rows_; row_++)
#pragma HLS unroll
            for (int col_ = 0; col_ < cols_ - 1; col_++)
#pragma HLS unroll
                val[row_][col_] = val[row_][col_ + 1];
    }
    void shift_left() { shift_pixels_left(); }
    void shift_pixels_right() {
        for (int row_ = 0; row_ < rows_; row_++)
#pragma HLS unroll
            for (int col_ = cols_ - 1; col_ > 0; col_--)
#pragma HLS unroll
                val[row_][col_] = val[row_][col_ - 1];
    }
    void shift_right() { shift_pixels_right(); }
    void shift_pixels_up() {
        for (int row_ = 0; row_ < rows_ - 1; row_++)
#pragma HLS unroll
            for (int col_ = 0; col_ < cols_; col_++)
#pragma HLS unroll
                val[row_][col_] = val[row_ + 1][col_];
    }
    void shift_up() { shift_pixels_up(); }
    void shift_pixels_down() {
        for (int row_ = rows_ - 1; row_ > 0; row_--)
#pragma HLS unroll
            for (int col_ = 0; col_ < cols_; col_++)
#pragma HLS unroll
                val[row_][col_] = val[row_ - 1][col_];
    }
    void shift_down() { shift_pixels_down(); }
    void insert_pixel(t_ value_, int row_, int col_) { val[row_][col_] = value_; }
    void insert(t_ value_, int row_, int col_) { val[row_][col_] = value_; }
    void insert_row(t_ values_[cols_], int row_) {
        for (int col_ = 0; col_ < cols_; col_++)
#pragma HLS unroll
            val[row_][col_] = values_[col_];
    }
    void insert_top_row(t_ values_[cols_]) { insert_row(values_, 0); }
    void insert_top(t_ values_[cols_]) { insert_row(values_, 0); }
    void insert_bottom_row(t_ values_[cols_]) { insert_row(values_, rows_ - 1); }
    void insert_bottom(t_ values_[cols_]) { insert_row(values_, rows_ - 1); }
    void insert_col(t_ values_[rows_], int col_) {
        for (int row_ = 0; row_ < rows_; row_++)
#pragma HLS unroll
            val[row_][col_] = values_[row_];
    }
    void insert_left_col(t_ values_[rows_]) { insert_col(values_, 0); }
    void insert_left(t_ values_[rows_]) { insert_col(values_, 0); }
    void insert_right_col(t_ values_[rows_]) { insert_col(values_, cols_ - 1); }
    void insert_right(t_ values_[rows_]) { insert_col(values_, cols_ - 1); }
    t_ &getval(int row_, int col_) { return val[row_][col_]; }
    t_ &operator()(int row_, int col_) { return val[row_][col_]; }
};
/* Each row is a memory of its own; what one column stores no other one loads. */
template <int rows_, int cols_, typename t_, int reshape_ = 0> class LineBuffer {
    static_assert(reshape_ == 0, "hls::LineBuffer with RESHAPE is not followed; leave it out, which makes a memory of each row");

  public:
    t_ val[rows_][cols_];
    LineBuffer() {
#pragma HLS array_partition variable=val complete dim=1
#pragma HLS dependence variable=val inter false
#pragma HLS dependence variable=val intra false
    }
    void shift_pixels_up(int col_) {
        for (int row_ = 0; row_ < rows_ - 1; row_++)
#pragma HLS unroll
            val[row_][col_] = val[row_ + 1][col_];
    }
    void shift_up(int col_) { shift_pixels_up(col_); }
    void shift_pixels_down(int col_) {
        for (int row_ = rows_ - 1; row_ > 0; row_--)
#pragma HLS unroll
            val[row_][col_] = val[row_ - 1][col_];
    }
    void shift_down(int col_) { shift_pixels_down(col_); }
    void insert_bottom_row(t_ value_, int col_) { val[rows_ - 1][col_] = value_; }
    void insert_bottom(t_ value_, int col_) { val[rows_ - 1][col_] = value_; }
    void insert_top_row(t_ value_, int col_) { val[0][col_] = value_; }
    void insert_top(t_ value_, int col_) { val[0][col_] = value_; }
    void get_col(t_ values_[rows_], int col_) {
        for (int row_ = 0; row_ < rows_; row_++)
#pragma HLS unroll
            values_[row_] = val[row_][col_];
    }
    t_ &getval(int row_, int col_) { return val[row_][col_]; }
    t_ &operator()(int row_, int col_) { return val[row_][col_]; }
};
}
#endif
