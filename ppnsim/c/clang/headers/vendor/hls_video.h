/* Images, line buffer and window of the vendor's video library (UG902), for reading kernels without its headers. */
#ifndef PPNSIM_HLS_VIDEO_H
#define PPNSIM_HLS_VIDEO_H
#include "ap_axi_sdata.h"
#include "ap_fixed.h"
#include "ap_int.h"
#include "hls_math.h"
#include "hls_stream.h"
#define PPNSIM_MAT_TYPE(depth_, channels_) ((depth_) + (((channels_)-1) << 11))
#define HLS_8UC1 PPNSIM_MAT_TYPE(0, 1)
#define HLS_8UC2 PPNSIM_MAT_TYPE(0, 2)
#define HLS_8UC3 PPNSIM_MAT_TYPE(0, 3)
#define HLS_8UC4 PPNSIM_MAT_TYPE(0, 4)
#define HLS_8SC1 PPNSIM_MAT_TYPE(1, 1)
#define HLS_8SC2 PPNSIM_MAT_TYPE(1, 2)
#define HLS_8SC3 PPNSIM_MAT_TYPE(1, 3)
#define HLS_8SC4 PPNSIM_MAT_TYPE(1, 4)
#define HLS_16UC1 PPNSIM_MAT_TYPE(2, 1)
#define HLS_16UC2 PPNSIM_MAT_TYPE(2, 2)
#define HLS_16UC3 PPNSIM_MAT_TYPE(2, 3)
#define HLS_16UC4 PPNSIM_MAT_TYPE(2, 4)
#define HLS_16SC1 PPNSIM_MAT_TYPE(3, 1)
#define HLS_16SC2 PPNSIM_MAT_TYPE(3, 2)
#define HLS_16SC3 PPNSIM_MAT_TYPE(3, 3)
#define HLS_16SC4 PPNSIM_MAT_TYPE(3, 4)
#define HLS_32SC1 PPNSIM_MAT_TYPE(4, 1)
#define HLS_32SC2 PPNSIM_MAT_TYPE(4, 2)
#define HLS_32SC3 PPNSIM_MAT_TYPE(4, 3)
#define HLS_32SC4 PPNSIM_MAT_TYPE(4, 4)
#define HLS_32FC1 PPNSIM_MAT_TYPE(5, 1)
#define HLS_32FC2 PPNSIM_MAT_TYPE(5, 2)
#define HLS_32FC3 PPNSIM_MAT_TYPE(5, 3)
#define HLS_32FC4 PPNSIM_MAT_TYPE(5, 4)
#define HLS_64FC1 PPNSIM_MAT_TYPE(6, 1)
#define HLS_64FC2 PPNSIM_MAT_TYPE(6, 2)
#define HLS_64FC3 PPNSIM_MAT_TYPE(6, 3)
#define HLS_64FC4 PPNSIM_MAT_TYPE(6, 4)
#define HLS_MAT_CN(type_) (((type_) >> 11) + 1)
#define HLS_TNAME(type_) typename hls::ppnsim_depth<(type_) & 2047>::type
typedef int HLS_SIZE_T; /* rows and columns */
namespace hls {
template <int depth_> struct ppnsim_depth;
template <> struct ppnsim_depth<0> { typedef unsigned char type; };
template <> struct ppnsim_depth<1> { typedef signed char type; };
template <> struct ppnsim_depth<2> { typedef unsigned short type; };
template <> struct ppnsim_depth<3> { typedef short type; };
template <> struct ppnsim_depth<4> { typedef int type; };
template <> struct ppnsim_depth<5> { typedef float type; };
template <> struct ppnsim_depth<6> { typedef double type; };
/* All pixels are registers. Old names of a method follow it. */
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
/* Each row is a separate memory; a value stored in one column is not loaded in another column. */
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
/* The channels of a pixel, each a register. */
template <int count_, typename t_> class Scalar {
  public:
    t_ val[count_];
    Scalar() {
#pragma HLS array_partition variable=val complete
    }
    Scalar(t_ a_) {
#pragma HLS array_partition variable=val complete
        val[0] = a_;
    }
    Scalar(t_ a_, t_ b_) {
#pragma HLS array_partition variable=val complete
        val[0] = a_;
        val[1] = b_;
    }
    Scalar(t_ a_, t_ b_, t_ c_) {
#pragma HLS array_partition variable=val complete
        val[0] = a_;
        val[1] = b_;
        val[2] = c_;
    }
    Scalar(t_ a_, t_ b_, t_ c_, t_ d_) {
#pragma HLS array_partition variable=val complete
        val[0] = a_;
        val[1] = b_;
        val[2] = c_;
        val[3] = d_;
    }
};
/* An image is one FIFO per channel; pixels are written and read row by row. */
template <int rows_, int cols_, int type_> class Mat {
  public:
    typedef HLS_TNAME(type_) ppnsim_number;
    hls::stream<ppnsim_number> data_stream[HLS_MAT_CN(type_)];
    int rows, cols;
    Mat() : rows(rows_), cols(cols_) {}
    Mat(int height_, int width_) : rows(height_), cols(width_) {}
    template <typename t_> void read(Scalar<HLS_MAT_CN(type_), t_> &pixel_) {
#pragma HLS inline
        for (int channel_ = 0; channel_ < HLS_MAT_CN(type_); channel_++)
#pragma HLS unroll
            pixel_.val[channel_] = data_stream[channel_].read();
    }
    Scalar<HLS_MAT_CN(type_), ppnsim_number> read() {
#pragma HLS inline
        Scalar<HLS_MAT_CN(type_), ppnsim_number> pixel_;
        read(pixel_);
        return pixel_;
    }
    template <typename t_> void write(const Scalar<HLS_MAT_CN(type_), t_> &pixel_) {
#pragma HLS inline
        for (int channel_ = 0; channel_ < HLS_MAT_CN(type_); channel_++)
#pragma HLS unroll
            data_stream[channel_].write(pixel_.val[channel_]);
    }
    template <typename t_> void operator>>(Scalar<HLS_MAT_CN(type_), t_> &pixel_) { read(pixel_); }
    template <typename t_> void operator<<(const Scalar<HLS_MAT_CN(type_), t_> &pixel_) { write(pixel_); }
};
/* One iteration per pixel of the larger image, plus one row and one column; one row is buffered. */
template <int type_, int rows_, int cols_, int to_rows_, int to_cols_>
void Resize_opr_linear(Mat<rows_, cols_, type_> &from_, Mat<to_rows_, to_cols_, type_> &to_) {
    const int height_ = rows_ > to_rows_ ? rows_ : to_rows_, width_ = cols_ > to_cols_ ? cols_ : to_cols_;
    HLS_TNAME(type_) kept_[HLS_MAT_CN(type_)][(cols_ > to_cols_ ? cols_ : to_cols_) + 1];
    HLS_TNAME(type_) near_[2][2][HLS_MAT_CN(type_)];
#pragma HLS array_partition variable=kept_ complete dim=1
#pragma HLS array_partition variable=near_ complete dim=0
    for (int row_ = 0; row_ < height_ + 1; row_++) {
        for (int col_ = 0; col_ < width_ + 1; col_++) {
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1
#pragma HLS dependence variable=kept_ inter false
            Scalar<HLS_MAT_CN(type_), HLS_TNAME(type_)> pixel_;
            for (int channel_ = 0; channel_ < HLS_MAT_CN(type_); channel_++)
#pragma HLS unroll
                pixel_.val[channel_] = 0;
            if (row_ < height_ && col_ < width_ && (row_ + 1) * rows_ / height_ > row_ * rows_ / height_ &&
                (col_ + 1) * cols_ / width_ > col_ * cols_ / width_)
                from_.read(pixel_);
            ap_ufixed<20, 2> down_ = ap_ufixed<20, 2>(row_ & 1) / 2, right_ = ap_ufixed<20, 2>(col_ & 1) / 2;
            for (int channel_ = 0; channel_ < HLS_MAT_CN(type_); channel_++) {
#pragma HLS unroll
                for (int line_ = 0; line_ < 2; line_++)
#pragma HLS unroll
                    near_[line_][0][channel_] = near_[line_][1][channel_];
                near_[0][1][channel_] = kept_[channel_][col_];
                near_[1][1][channel_] = pixel_.val[channel_];
                kept_[channel_][col_] = pixel_.val[channel_];
                ap_ufixed<20, 2> up_ = 1 - down_, left_ = 1 - right_;
                pixel_.val[channel_] =
                    near_[0][0][channel_] * up_ * left_ + near_[0][1][channel_] * up_ * right_ +
                    near_[1][0][channel_] * down_ * left_ + near_[1][1][channel_] * down_ * right_;
            }
            if (row_ > 0 && col_ > 0 && row_ * to_rows_ / height_ > (row_ - 1) * to_rows_ / height_ &&
                col_ * to_cols_ / width_ > (col_ - 1) * to_cols_ / width_)
                to_.write(pixel_);
        }
    }
}
/* Words before the start of the frame, and after the end of a line, are dropped; a word that ends it early is kept. */
template <int width_, int rows_, int cols_, int type_>
int AXIvideo2Mat(hls::stream<ap_axiu<width_, 1, 1, 1> > &video_, Mat<rows_, cols_, type_> &image_) {
    ap_axiu<width_, 1, 1, 1> word_;
    Scalar<HLS_MAT_CN(type_), HLS_TNAME(type_)> pixel_;
    const int bits_ = 8 * sizeof(HLS_TNAME(type_));
    int faults_ = 0;
    bool held_ = false;
    while (!held_) {
#pragma HLS pipeline II=1
#pragma HLS loop_tripcount min=0 avg=0 max=0
        video_ >> word_;
        held_ = word_.user == 1;
    }
    for (int row_ = 0; row_ < image_.rows; row_++) {
#pragma HLS loop_tripcount min=0 max=rows_
        bool ended_ = false;
        for (int col_ = 0; col_ < image_.cols; col_++) {
#pragma HLS loop_tripcount min=0 max=cols_
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1
            if (!held_ && !ended_) video_ >> word_;
            held_ = false;
            ended_ = word_.last == 1;
            for (int channel_ = 0; channel_ < HLS_MAT_CN(type_); channel_++)
#pragma HLS unroll
                pixel_.val[channel_] = word_.data.range(bits_ * channel_ + bits_ - 1, bits_ * channel_);
            image_ << pixel_;
            if (ended_ && col_ < image_.cols - 1) faults_ |= 1;
        }
        while (!ended_) {
#pragma HLS pipeline II=1
#pragma HLS loop_tripcount min=0 avg=0 max=0
            video_ >> word_;
            ended_ = word_.last == 1;
            faults_ |= 2;
        }
    }
    return faults_;
}
template <int width_, int rows_, int cols_, int type_>
int Mat2AXIvideo(Mat<rows_, cols_, type_> &image_, hls::stream<ap_axiu<width_, 1, 1, 1> > &video_) {
    ap_axiu<width_, 1, 1, 1> word_;
    Scalar<HLS_MAT_CN(type_), HLS_TNAME(type_)> pixel_;
    const int bits_ = 8 * sizeof(HLS_TNAME(type_));
    bool first_ = true;
    for (int row_ = 0; row_ < image_.rows; row_++) {
#pragma HLS loop_tripcount min=0 max=rows_
        for (int col_ = 0; col_ < image_.cols; col_++) {
#pragma HLS loop_tripcount min=0 max=cols_
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1
            image_ >> pixel_;
            word_.user = first_;
            first_ = false;
            word_.last = col_ == image_.cols - 1;
            word_.keep = -1;
            for (int channel_ = 0; channel_ < HLS_MAT_CN(type_); channel_++)
#pragma HLS unroll
                word_.data.range(bits_ * channel_ + bits_ - 1, bits_ * channel_) = pixel_.val[channel_];
            video_ << word_;
        }
    }
    return 0;
}
}
#include "ppnsim_video_functions.h"
#endif
