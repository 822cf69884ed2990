/* Functions on whole images of the vendor's video library (UG902): loops over rows and columns, a pixel each cycle (R9.46 of hls). */
#ifndef PPNSIM_VIDEO_FUNCTIONS_H
#define PPNSIM_VIDEO_FUNCTIONS_H
#define HLS_8U 0
#define HLS_8S 1
#define HLS_16U 2
#define HLS_16S 3
#define HLS_32S 4
#define HLS_32F 5
#define HLS_64F 6
#define HLS_RGB2GRAY 0
#define HLS_BGR2GRAY 1
#define HLS_GRAY2RGB 2
#define HLS_GRAY2BGR 3
#define HLS_THRESH_BINARY 0
#define HLS_THRESH_BINARY_INV 1
#define HLS_THRESH_TRUNC 2
#define HLS_THRESH_TOZERO 3
#define HLS_THRESH_TOZERO_INV 4
namespace hls {
template <typename t_> struct Point_ {
    t_ x, y;
    Point_() : x(0), y(0) {}
    Point_(t_ x_, t_ y_) : x(x_), y(y_) {}
};
template <typename t_> struct Size_ {
    t_ width, height;
    Size_() : width(0), height(0) {}
    Size_(t_ width_, t_ height_) : width(width_), height(height_) {}
};
typedef Point_<int> Point;
typedef Size_<int> Size;
template <typename t_> struct ppnsim_clip {
    static t_ of(int value_) { return value_; }
};
template <> struct ppnsim_clip<unsigned char> {
    static unsigned char of(int value_) { return value_ < 0 ? 0 : value_ > 255 ? 255 : value_; }
};
template <int code_, int rows_, int cols_, int type_, int to_type_>
void CvtColor(Mat<rows_, cols_, type_> &from_, Mat<rows_, cols_, to_type_> &to_) {
    const int first_ = code_ == HLS_RGB2GRAY ? 19595 : 7471, last_ = code_ == HLS_RGB2GRAY ? 7471 : 19595;
    for (int row_ = 0; row_ < from_.rows; row_++) {
#pragma HLS loop_tripcount min=0 max=rows_
        for (int col_ = 0; col_ < from_.cols; col_++) {
#pragma HLS loop_tripcount min=0 max=cols_
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1
            Scalar<HLS_MAT_CN(type_), HLS_TNAME(type_)> pixel_;
            Scalar<HLS_MAT_CN(to_type_), HLS_TNAME(to_type_)> made_;
            from_ >> pixel_;
            if (code_ == HLS_RGB2GRAY || code_ == HLS_BGR2GRAY)
                made_.val[0] = (pixel_.val[0] * first_ + pixel_.val[1] * 38470 + pixel_.val[2] * last_ + 32768) >> 16;
            else
                for (int channel_ = 0; channel_ < HLS_MAT_CN(to_type_); channel_++)
#pragma HLS unroll
                    made_.val[channel_] = pixel_.val[0];
            to_ << made_;
        }
    }
}
template <int rows_, int cols_, int type_>
void Duplicate(Mat<rows_, cols_, type_> &from_, Mat<rows_, cols_, type_> &to_, Mat<rows_, cols_, type_> &other_) {
    for (int row_ = 0; row_ < from_.rows; row_++) {
#pragma HLS loop_tripcount min=0 max=rows_
        for (int col_ = 0; col_ < from_.cols; col_++) {
#pragma HLS loop_tripcount min=0 max=cols_
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1
            Scalar<HLS_MAT_CN(type_), HLS_TNAME(type_)> pixel_;
            from_ >> pixel_;
            to_ << pixel_;
            other_ << pixel_;
        }
    }
}
template <int rows_, int cols_, int type_, int to_type_>
void Scale(Mat<rows_, cols_, type_> &from_, Mat<rows_, cols_, to_type_> &to_, double by_ = 1.0, double shift_ = 0.0) {
    for (int row_ = 0; row_ < from_.rows; row_++) {
#pragma HLS loop_tripcount min=0 max=rows_
        for (int col_ = 0; col_ < from_.cols; col_++) {
#pragma HLS loop_tripcount min=0 max=cols_
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1
            Scalar<HLS_MAT_CN(type_), HLS_TNAME(type_)> pixel_;
            Scalar<HLS_MAT_CN(to_type_), HLS_TNAME(to_type_)> made_;
            from_ >> pixel_;
            for (int channel_ = 0; channel_ < HLS_MAT_CN(type_); channel_++)
#pragma HLS unroll
                made_.val[channel_] =
                ppnsim_clip<HLS_TNAME(to_type_)>::of((int)(pixel_.val[channel_] * by_ + shift_));
            to_ << made_;
        }
    }
}
template <int rows_, int cols_, int type_, int to_type_>
void ConvertScaleAbs(Mat<rows_, cols_, type_> &from_, Mat<rows_, cols_, to_type_> &to_, double by_ = 1.0,
                     double shift_ = 0.0) {
    for (int row_ = 0; row_ < from_.rows; row_++) {
#pragma HLS loop_tripcount min=0 max=rows_
        for (int col_ = 0; col_ < from_.cols; col_++) {
#pragma HLS loop_tripcount min=0 max=cols_
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1
            Scalar<HLS_MAT_CN(type_), HLS_TNAME(type_)> pixel_;
            Scalar<HLS_MAT_CN(to_type_), HLS_TNAME(to_type_)> made_;
            from_ >> pixel_;
            for (int channel_ = 0; channel_ < HLS_MAT_CN(type_); channel_++) {
#pragma HLS unroll
                int value_ = (int)(pixel_.val[channel_] * by_ + shift_);
                made_.val[channel_] = ppnsim_clip<HLS_TNAME(to_type_)>::of(value_ < 0 ? -value_ : value_);
            }
            to_ << made_;
        }
    }
}
template <int rows_, int cols_, int type_, int other_type_, int to_type_>
void AddWeighted(Mat<rows_, cols_, type_> &one_, double alpha_, Mat<rows_, cols_, other_type_> &other_, double beta_,
                 double gamma_, Mat<rows_, cols_, to_type_> &to_) {
    for (int row_ = 0; row_ < one_.rows; row_++) {
#pragma HLS loop_tripcount min=0 max=rows_
        for (int col_ = 0; col_ < one_.cols; col_++) {
#pragma HLS loop_tripcount min=0 max=cols_
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1
            Scalar<HLS_MAT_CN(type_), HLS_TNAME(type_)> pixel_;
            Scalar<HLS_MAT_CN(other_type_), HLS_TNAME(other_type_)> beside_;
            Scalar<HLS_MAT_CN(to_type_), HLS_TNAME(to_type_)> made_;
            one_ >> pixel_;
            other_ >> beside_;
            for (int channel_ = 0; channel_ < HLS_MAT_CN(type_); channel_++)
#pragma HLS unroll
                made_.val[channel_] = ppnsim_clip<HLS_TNAME(to_type_)>::of(
                (int)(pixel_.val[channel_] * alpha_ + beside_.val[channel_] * beta_ + gamma_));
            to_ << made_;
        }
    }
}
template <int rows_, int cols_, int type_, typename t_>
void SubS(Mat<rows_, cols_, type_> &from_, Scalar<HLS_MAT_CN(type_), t_> by_, Mat<rows_, cols_, type_> &to_) {
    for (int row_ = 0; row_ < from_.rows; row_++) {
#pragma HLS loop_tripcount min=0 max=rows_
        for (int col_ = 0; col_ < from_.cols; col_++) {
#pragma HLS loop_tripcount min=0 max=cols_
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1
            Scalar<HLS_MAT_CN(type_), HLS_TNAME(type_)> pixel_;
            from_ >> pixel_;
            for (int channel_ = 0; channel_ < HLS_MAT_CN(type_); channel_++)
#pragma HLS unroll
                pixel_.val[channel_] =
                ppnsim_clip<HLS_TNAME(type_)>::of(pixel_.val[channel_] - by_.val[channel_]);
            to_ << pixel_;
        }
    }
}
template <int rows_, int cols_, int type_>
void AbsDiff(Mat<rows_, cols_, type_> &one_, Mat<rows_, cols_, type_> &other_, Mat<rows_, cols_, type_> &to_) {
    for (int row_ = 0; row_ < one_.rows; row_++) {
#pragma HLS loop_tripcount min=0 max=rows_
        for (int col_ = 0; col_ < one_.cols; col_++) {
#pragma HLS loop_tripcount min=0 max=cols_
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1
            Scalar<HLS_MAT_CN(type_), HLS_TNAME(type_)> pixel_, beside_;
            one_ >> pixel_;
            other_ >> beside_;
            for (int channel_ = 0; channel_ < HLS_MAT_CN(type_); channel_++) {
#pragma HLS unroll
                int apart_ = pixel_.val[channel_] - beside_.val[channel_];
                pixel_.val[channel_] = apart_ < 0 ? -apart_ : apart_;
            }
            to_ << pixel_;
        }
    }
}
template <int rows_, int cols_, int type_>
void Threshold(Mat<rows_, cols_, type_> &from_, Mat<rows_, cols_, type_> &to_, HLS_TNAME(type_) least_,
               HLS_TNAME(type_) most_, int kind_) {
    for (int row_ = 0; row_ < from_.rows; row_++) {
#pragma HLS loop_tripcount min=0 max=rows_
        for (int col_ = 0; col_ < from_.cols; col_++) {
#pragma HLS loop_tripcount min=0 max=cols_
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1
            Scalar<HLS_MAT_CN(type_), HLS_TNAME(type_)> pixel_;
            from_ >> pixel_;
            for (int channel_ = 0; channel_ < HLS_MAT_CN(type_); channel_++) {
#pragma HLS unroll
                bool above_ = pixel_.val[channel_] > least_;
                HLS_TNAME(type_) same_ = pixel_.val[channel_];
                pixel_.val[channel_] = kind_ == HLS_THRESH_BINARY       ? (above_ ? most_ : 0)
                                       : kind_ == HLS_THRESH_BINARY_INV ? (above_ ? 0 : most_)
                                       : kind_ == HLS_THRESH_TRUNC      ? (above_ ? least_ : same_)
                                       : kind_ == HLS_THRESH_TOZERO     ? (above_ ? same_ : 0)
                                                                        : (above_ ? 0 : same_);
            }
            to_ << pixel_;
        }
    }
}
/* A pixel for each place of a window, which needs as many rows and columns more as it has around its middle;
   what is outside of the image has some value, on which no time depends. "kind": 0 the sum with weights, 1 the
   least, 2 the most. */
template <int high_, int wide_, typename w_, int kind_, int shift_, int rows_, int cols_, int type_, int to_type_>
void ppnsim_window(Mat<rows_, cols_, type_> &from_, Mat<rows_, cols_, to_type_> &to_, Window<high_, wide_, w_> &by_) {
    HLS_TNAME(type_) kept_[HLS_MAT_CN(type_)][high_][cols_];
    HLS_TNAME(type_) near_[HLS_MAT_CN(type_)][high_][wide_];
#pragma HLS array_partition variable=kept_ complete dim=1
#pragma HLS array_partition variable=kept_ complete dim=2
#pragma HLS array_partition variable=near_ complete dim=0
    for (int row_ = 0; row_ < from_.rows + high_ - 1; row_++) {
#pragma HLS loop_tripcount min=0 max=rows_+high_-1
        for (int col_ = 0; col_ < from_.cols + wide_ - 1; col_++) {
#pragma HLS loop_tripcount min=0 max=cols_+wide_-1
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1
#pragma HLS dependence variable=kept_ inter false
            Scalar<HLS_MAT_CN(type_), HLS_TNAME(type_)> pixel_;
            Scalar<HLS_MAT_CN(to_type_), HLS_TNAME(to_type_)> made_;
            bool inside_ = row_ < from_.rows && col_ < from_.cols;
            int at_ = col_ < from_.cols ? col_ : from_.cols - 1;
            if (inside_) from_ >> pixel_;
            for (int channel_ = 0; channel_ < HLS_MAT_CN(type_); channel_++) {
#pragma HLS unroll
                HLS_TNAME(type_) column_[high_];
#pragma HLS array_partition variable=column_ complete
                for (int line_ = 0; line_ < high_; line_++)
#pragma HLS unroll
                    column_[line_] = kept_[channel_][line_][at_];
                if (inside_) {
                    for (int line_ = 0; line_ < high_ - 1; line_++)
#pragma HLS unroll
                        column_[line_] = column_[line_ + 1];
                    column_[high_ - 1] = pixel_.val[channel_];
                    for (int line_ = 0; line_ < high_; line_++)
#pragma HLS unroll
                        kept_[channel_][line_][at_] = column_[line_];
                }
                w_ sum_ = 0;
                HLS_TNAME(type_) end_ = column_[high_ / 2];
                for (int line_ = 0; line_ < high_; line_++) {
#pragma HLS unroll
                    for (int place_ = 0; place_ < wide_ - 1; place_++)
#pragma HLS unroll
                        near_[channel_][line_][place_] = near_[channel_][line_][place_ + 1];
                    near_[channel_][line_][wide_ - 1] = column_[line_];
                    for (int place_ = 0; place_ < wide_; place_++) {
#pragma HLS unroll
                        HLS_TNAME(type_) one_ = near_[channel_][line_][place_];
                        if (kind_ == 0)
                            sum_ += one_ * by_.val[line_][place_];
                        else if (kind_ == 1)
                            end_ = one_ < end_ ? one_ : end_;
                        else
                            end_ = one_ > end_ ? one_ : end_;
                    }
                }
                made_.val[channel_] = kind_ == 0 ? ppnsim_clip<HLS_TNAME(to_type_)>::of((int)sum_ >> shift_)
                                                 : (HLS_TNAME(to_type_))end_;
            }
            if (row_ >= high_ - 1 && col_ >= wide_ - 1) to_ << made_;
        }
    }
}
template <int rows_, int cols_, int type_, int to_type_, int high_, int wide_, typename w_>
void Filter2D(Mat<rows_, cols_, type_> &from_, Mat<rows_, cols_, to_type_> &to_, Window<high_, wide_, w_> &by_,
              Point_<int> = Point_<int>()) {
    ppnsim_window<high_, wide_, w_, 0, 0>(from_, to_, by_);
}
/* Weights of a row of 3 or 5: 1 2 1 and 1 4 6 4 1, their slopes -1 0 1 and -1 -2 0 2 1. */
template <int x_, int y_, int size_, int rows_, int cols_, int type_, int to_type_>
void Sobel(Mat<rows_, cols_, type_> &from_, Mat<rows_, cols_, to_type_> &to_) {
    static_assert(x_ + y_ == 1 && (size_ == 3 || size_ == 5), "hls::Sobel of order (1, 0) or (0, 1), of 3 or 5 rows");
    const int even_[5] = {1, size_ == 3 ? 2 : 4, size_ == 3 ? 1 : 6, 4, 1};
    const int slope_[5] = {-1, size_ == 3 ? 0 : -2, size_ == 3 ? 1 : 0, 2, 1};
    Window<size_, size_, int> by_;
    for (int line_ = 0; line_ < size_; line_++) {
#pragma HLS unroll
        for (int place_ = 0; place_ < size_; place_++)
#pragma HLS unroll
            by_.val[line_][place_] = x_ == 1 ? even_[line_] * slope_[place_] : slope_[line_] * even_[place_];
    }
    ppnsim_window<size_, size_, int, 0, 0>(from_, to_, by_);
}
template <int high_, int wide_, int rows_, int cols_, int type_>
void GaussianBlur(Mat<rows_, cols_, type_> &from_, Mat<rows_, cols_, type_> &to_, double = 0, double = 0) {
    static_assert(high_ == wide_ && (high_ == 3 || high_ == 5), "hls::GaussianBlur of 3 or 5 rows and columns");
    const int even_[5] = {1, high_ == 3 ? 2 : 4, high_ == 3 ? 1 : 6, 4, 1};
    Window<high_, wide_, int> by_;
    for (int line_ = 0; line_ < high_; line_++) {
#pragma HLS unroll
        for (int place_ = 0; place_ < wide_; place_++)
#pragma HLS unroll
            by_.val[line_][place_] = even_[line_] * even_[place_];
    }
    ppnsim_window<high_, wide_, int, 0, high_ == 3 ? 4 : 8>(from_, to_, by_);
}
template <int rows_, int cols_, int type_> void Erode(Mat<rows_, cols_, type_> &from_, Mat<rows_, cols_, type_> &to_) {
    Window<3, 3, int> by_;
    ppnsim_window<3, 3, int, 1, 0>(from_, to_, by_);
}
template <int rows_, int cols_, int type_> void Dilate(Mat<rows_, cols_, type_> &from_, Mat<rows_, cols_, type_> &to_) {
    Window<3, 3, int> by_;
    ppnsim_window<3, 3, int, 2, 0>(from_, to_, by_);
}
}
#endif
